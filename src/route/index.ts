export { formatModelName, type ModelName, parseFallback, parseModelName } from "./model-name.ts";
export { type Objection, type Plan, planRoute, type RouteQuestion, type Skipped, type Target } from "./plan.ts";
export {
  backOff,
  defaultRetryPolicy,
  type Failure,
  isContentRefusal,
  isContextTooLong,
  judge,
  type RetryPolicy,
  type Verdict,
} from "./verdict.ts";
