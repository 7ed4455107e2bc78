import { anything, type Checks, callable, flag, having, object, positive } from "../ports/checks.ts";
import type { AllowedOrigins } from "./cors.ts";
import type { FailureReport } from "./endpoint.ts";
import type { InferenceOptions } from "./source.ts";

/** What the API is served from and how. */
export interface HandlerOptions extends InferenceOptions {
  /** Which web pages may call; none by default. */
  readonly cors?: AllowedOrigins | undefined;
  /** Told of every request that fails; for logs. */
  readonly onFailure?: FailureReport | undefined;
}

/** `cors` and `service` are looked into where they are read. */
export const handlerChecks: Checks<HandlerOptions> = {
  engine: having("newEventId", "an engine of `createEngine`"),
  requireKey: flag,
  bodyLimit: positive,
  portal: object,
  service: anything,
  cors: anything,
  onFailure: callable,
};
