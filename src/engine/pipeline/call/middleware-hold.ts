import type { GatewayError } from "../../errors.ts";

/** What middleware has to do with the settlement of its call: what it asks of models is billed before that. */
export interface MiddlewareHold {
  /** It works on the request or its answer: the call is settled afterwards. */
  isBusy: boolean;
  /** The outcome that the call is to be settled with. */
  outcome: object | undefined;
  /** Why its stream was not given to the end: the outcome of the call, whatever became of the models that were asked. */
  failure: GatewayError | undefined;
  /** An outcome with what is known of the call: the outcome before it, and the failure. */
  outcomeWith(outcome: object): object;
  /** Questions to models that are under way for it. */
  asking: number;
}

/** The state at the beginning of a call. */
export function openHold(): MiddlewareHold {
  return {
    isBusy: true,
    outcome: undefined,
    failure: undefined,
    asking: 0,
    outcomeWith(outcome) {
      const { failure: error } = this;
      const stated = Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined));
      return { ...this.outcome, ...stated, ...(error && { status: error.status, reason: error.code, error }) };
    },
  };
}
