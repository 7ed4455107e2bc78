export type { CredentialTerms } from "../ports.ts";
export {
  admitCircuit,
  type Circuit,
  type CircuitChange,
  type CircuitOutcome,
  type CircuitRules,
  type CircuitState,
  type CircuitView,
  circuitOutcome,
  defaultCircuitRules,
  describeCircuit,
  newCircuit,
  recordCircuit,
  type Ticket,
} from "./circuit.ts";
export type { Conditions, Finding, RouteFacts } from "./condition.ts";
export {
  type CredentialChoice,
  type CredentialQuestion,
  chooseCredentials,
  deploymentOf,
  isEligible,
} from "./credential.ts";
export type { Day, Hours } from "./hours.ts";
export { expectLatency, type Latency, measureLatency } from "./latency.ts";
export { formatModelName, type ModelName, parseFallback, parseModelName } from "./model-name.ts";
export { type Candidate, type Order, type OrderMoment, orderCandidates } from "./order.ts";
export { matchesAny, matchesPattern, type Patterns } from "./pattern.ts";
export { type Objection, type Plan, planRoute, type RouteQuestion, type Skipped, type Target } from "./plan.ts";
export {
  checkRules,
  explainRules,
  findRule,
  isExcluded,
  type RouteActions,
  type RouteRequest,
  type RouteRule,
  type RuleReport,
  type SteeredRequest,
  steerRequest,
} from "./rules.ts";
export { type Named, orderBySession, orderByWeight, type Weighted } from "./spread.ts";
export {
  backOff,
  defaultRetryPolicy,
  type Failure,
  isContentRefusal,
  isContextTooLong,
  isCredentialFault,
  isDeadCredential,
  judge,
  type RetryPolicy,
  type Verdict,
} from "./verdict.ts";
