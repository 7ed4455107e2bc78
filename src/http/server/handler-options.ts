import {
  amount,
  anything,
  type Checks,
  callable,
  flag,
  having,
  object,
  positive,
} from "../../engine/runtime/checks.ts";
import type { InferenceOptions } from "../context.ts";
import { defaultKeepAliveMs } from "../message.ts";
import type { AllowedOrigins } from "../response/cors.ts";
import type { FailureReport } from "../response/request-context.ts";

/** What the API is served from and how. */
export interface HandlerOptions extends InferenceOptions {
  /** Which web pages may call; none by default. */
  readonly cors?: AllowedOrigins | undefined;
  /** Called for every request that fails; for logs. */
  readonly onFailure?: FailureReport | undefined;
}

/** `cors` and `service` are looked into where they are read. */
export const handlerChecks: Checks<HandlerOptions> = {
  engine: having("newEventId", "an engine of `createEngine`"),
  requireKey: flag,
  bodyLimit: positive,
  keepAliveMs: amount,
  bodyBounds: object,
  portal: object,
  portalAtRoot: flag,
  console: object,
  service: anything,
  cors: anything,
  onFailure: callable,
  describeCaller: callable,
};

/** Milliseconds of silence in a stream after which a sign of life is sent. */
export function keepAliveMsOf({ keepAliveMs = defaultKeepAliveMs }: Pick<HandlerOptions, "keepAliveMs">): number {
  return keepAliveMs;
}
