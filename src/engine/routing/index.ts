export type { CredentialSettings } from "../ports/provider.ts";
export {
  admitCircuit,
  type Circuit,
  type CircuitChange,
  type CircuitOutcome,
  type CircuitPass,
  type CircuitRules,
  type CircuitState,
  type CircuitView,
  circuitOutcome,
  defaultCircuitRules,
  describeCircuit,
  newCircuit,
  recordCircuit,
} from "./circuit.ts";
export type { Conditions, Finding, RouteFacts } from "./conditions.ts";
export {
  type CredentialChoice,
  type CredentialQuestion,
  chooseCredentials,
  deploymentOf,
  isEligible,
} from "./credential.ts";
export { matchesAny, matchesPattern, type Patterns } from "./glob.ts";
export type { Day, Hours } from "./hours.ts";
export { expectLatency, type Latency, measureLatency } from "./latency.ts";
export { createIdentify, type Identify, identifyByName, type ModelIdentity } from "./model-identity.ts";
export { formatModelName, type ModelName, parseFallback, parseModelName } from "./model-name.ts";
export { type Candidate, type Order, type OrderMoment, orderCandidates } from "./order.ts";
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
export { type NamedWeight, orderBySession, orderByWeight, type Weighted } from "./spread.ts";
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
