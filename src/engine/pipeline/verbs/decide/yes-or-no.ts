import type { DecisionRequest } from "../../../api/decisions.ts";
import { boundDecision } from "../../../decisions/cost-bound.ts";
import type { RequestFacts } from "../../call/call.ts";
import { type ReadDecision, writeDecision } from "./read-decision.ts";
import { parseDecision } from "./request.ts";

/** A question of the gateway's own, and what is needed to ask a target. */
export interface YesOrNo {
  readonly request: DecisionRequest;
  readonly facts: RequestFacts;
  /** The probability of yes; `undefined` where the model declined to say. */
  read(answer: ReadDecision): number | undefined;
}

/** Asks a model (`provider/model`) whether something is so, in both orders of yes and no: small models prefer a place. */
export function yesOrNo(model: string, state: object, instructions: string): YesOrNo {
  const questions = { answer: { kind: "noul", instructions } };
  const request = parseDecision({ model, state, questions, permutations: 2 });
  return {
    request,
    facts: { kind: "decision", request, bound: (known) => boundDecision(request, known) },
    read(read) {
      const { answer } = writeDecision(request, read).answers as { readonly answer?: { readonly value?: unknown } };
      return typeof answer?.value === "number" ? answer.value : undefined;
    },
  };
}
