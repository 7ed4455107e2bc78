import type { Target } from "../../routing/plan.ts";
import type { Call } from "./call.ts";

/** The target of the attempt that answered, and the warnings that go with its answer. */
export interface ServingAttempt {
  readonly target: Target;
  readonly warnings: string[];
}

/** A call whose request has been read and whose route is known. */
export interface RoutedCall<Request> {
  readonly call: Call;
  readonly request: Request;
  /** Targets to ask, best first; never empty. */
  readonly targets: readonly Target[];
  /** Called with the attempt that answered, before its answer is delivered. */
  readonly onServed?: ((attempt: ServingAttempt) => void) | undefined;
}

/** Answers routed calls of one verb and settles them; wrappers take one handler and return another. */
export type CallHandler<Request, Result> = (routed: RoutedCall<Request>) => Promise<Result>;
