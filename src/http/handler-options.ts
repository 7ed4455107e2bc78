import type { Engine } from "../engine.ts";
import { anything, type Checks, callable, flag, object, positive } from "../ports/checks.ts";
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
  engine: [(engine) => object[0](engine) && "newEventId" in (engine as Engine), "an engine of `createEngine`"],
  requireKey: flag,
  bodyLimit: positive,
  portal: object,
  service: anything,
  cors: anything,
  onFailure: callable,
};
