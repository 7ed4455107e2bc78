import { type ErrorCode, GatewayError } from "../../errors.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import type { Provider, ProviderVerb } from "../../ports/provider.ts";
import { formatModelName, isBareModel, type ModelName, parseModelName } from "../../routing/model-name.ts";
import { type Order, orderCandidates } from "../../routing/order.ts";
import { type Objection, type Plan, planRoute, type Target } from "../../routing/plan.ts";
import { explainRules, findRule, type RuleReport, type SteeredRequest, steerRequest } from "../../routing/rules.ts";
import type { Accounting, Ports } from "../runtime/ports.ts";
import { type BareModelQuery, candidatesFor, unknownModel, unreadProviders } from "./bare-model.ts";
import { objectionTo, offers } from "./objection.ts";

/** The inputs of a route. */
export interface RouteQuery {
  readonly request: {
    readonly model: string;
    readonly fallbacks?: readonly string[] | undefined;
    readonly metadata?: unknown;
    /** Of embeddings: whether another model may answer. */
    readonly allow_other_model?: boolean | undefined;
  };
  /** The provider's method that will be called. */
  readonly method: ProviderVerb;
  /** What the caller's key allows; absent for the trusted caller. */
  readonly access: KeyPermissions | undefined;
  /** The provider that a model without one belongs to in the caller's dialect. */
  readonly vendor?: string | undefined;
  /** What is left of the tightest budget, in nano-dollars; absent without a budget. */
  readonly budgetLeft?: number | undefined;
}

/** A plan, and the rule that shaped it. */
export interface Route extends Plan {
  /** Name of the rule that matched. */
  readonly rule?: string | undefined;
  /** The rules that were evaluated, with their results. */
  readonly rules?: readonly RuleReport[] | undefined;
}

/** The route of a request: rules first, then the asked model or, for one without a provider, the key's candidates, then fallbacks. */
export function routeFor(ports: Ports, query: RouteQuery): Route {
  const { rules } = ports.routing;
  if (rules.length === 0) return planFor(ports, query, query.request);
  const steered = steerRequest(query.request, findRule(rules, factsOf(ports, query)));
  return { ...planFor(ports, query, steered), rule: steered.rule };
}

/** The same route with the result of every rule that was evaluated. */
export function explainRoute(ports: Ports, query: RouteQuery): Route {
  const { rules } = ports.routing;
  if (rules.length === 0) return routeFor(ports, query);
  return { ...routeFor(ports, query), rules: explainRules(rules, factsOf(ports, query)) };
}

function factsOf(ports: Ports, { request, access, budgetLeft }: RouteQuery) {
  const { metadata } = request;
  return {
    model: request.model,
    identify: ports.accounting.identify,
    metadata: typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>) : undefined,
    key: access?.keyId,
    project: access?.projectId,
    now: ports.clock.now(),
    budgetLeft,
  };
}

function planFor(ports: Ports, query: RouteQuery, steered: SteeredRequest): Plan {
  refuseKeys(ports.accounting, query.request);
  const other = otherVectors(ports.accounting, query, steered.model);
  const objection = (name: ModelName) => objectionTo(ports, query, { name, steered }) ?? other(name);
  const { model, fallbacks } = steered;
  if (!isCompleted(query, model)) return ordered(ports, planRoute({ model, fallbacks, objection }), steered.order);
  const bare = bareQuery(ports, query, model);
  const candidates = orderedCandidates(ports, candidatesFor(ports, bare));
  const withoutCandidates = (): Objection => {
    const { message } = unknownModel(ports, bare);
    return { reason: "invalid_model", message };
  };
  return ordered(ports, planRoute({ model, fallbacks, objection, candidates, withoutCandidates }), steered.order);
}

function ordered(ports: Ports, plan: Plan, order: Order | undefined): Plan {
  return order ? { ...plan, targets: inOrder(ports, plan.targets, order) } : plan;
}

/** Providers whose own lists could still show that they have the model of a request; empty where the model names its provider. */
export function unreadListsFor(ports: Ports, query: RouteQuery): readonly Provider[] {
  const { rules } = ports.routing;
  const { model } =
    rules.length === 0 ? query.request : steerRequest(query.request, findRule(rules, factsOf(ports, query)));
  return isCompleted(query, model) ? unreadProviders(ports, bareQuery(ports, query, model)) : [];
}

/** A name without a provider is completed for virtual keys and in a vendor's dialect; the trusted caller names the provider. */
function isCompleted({ access, vendor }: RouteQuery, model: string): boolean {
  return isBareModel(model) && (access !== undefined || vendor !== undefined);
}

function bareQuery(ports: Ports, { access, method, vendor }: RouteQuery, model: string): BareModelQuery {
  const providers = [...ports.providers.values()].filter((provider) => offers(provider, method));
  return { model, providers, access, vendor };
}

/** A virtual key is not a model name: refused without repeating it in any event or error. */
function refuseKeys({ hideKeys }: Accounting, { model, fallbacks }: RouteQuery["request"]): void {
  if (hideKeys(model) !== model) throw keyAsName("model");
  const location = fallbacks?.findIndex((name) => hideKeys(name) !== name) ?? -1;
  if (location >= 0) throw keyAsName(`fallbacks.${location}`);
}

function keyAsName(param: string): GatewayError {
  const message = `\`${param}\`: must name a model, not a virtual key or an access token; a key is sent in \`x-tg-key\`.`;
  return new GatewayError("invalid_model", message, { param });
}

/** Candidates in the engine's order; a draw by weight keeps their order. */
function orderedCandidates(ports: Ports, candidates: readonly ModelName[]): readonly ModelName[] {
  const { order } = ports.routing;
  if (order === "weight") return candidates;
  return inOrder(
    ports,
    candidates.map((name) => ({ ...name, name: formatModelName(name) })),
    order,
  );
}

function inOrder(ports: Ports, targets: readonly Target[], order: Order): readonly Target[] {
  const now = ports.clock.now();
  const measured = targets.map((target) => {
    const rates = ports.accounting.prices.find(target.provider, target.model, now)?.rates;
    const price = rates && (rates.input_cost_per_token ?? 0) + (rates.output_cost_per_token ?? 0);
    return { ...target, price, latency: ports.health.latencyOf(target.name) };
  });
  const ordered = orderCandidates(measured, order, { draw: ports.random(), now });
  return ordered.map(({ provider, model, name }) => ({ provider, model, name }));
}

/** Reasons that lie in the model's name, not in what the key allows. */
const faultsOfName: ReadonlySet<ErrorCode> = new Set(["invalid_model", "provider_not_found", "unsupported_operation"]);

/** Without a target, the first reason is the error. */
export function refusalOf({ skipped }: Plan): GatewayError {
  const [first] = skipped;
  const param = first && faultsOfName.has(first.reason) ? "model" : undefined;
  return new GatewayError(first?.reason ?? "internal", first?.message ?? "The plan is empty.", { param });
}

/** A request that may be for vectors. */
interface AskedVectors {
  /** The provider's method that will be called. */
  readonly method: string;
  readonly request: { readonly allow_other_model?: boolean | undefined };
}

/**
 * The objection to embedding models that are not the asked one, whichever provider has them: vectors of different models have nothing
 * to do with each other, and what compares them would never notice. None where the request allows it, and for every other verb.
 */
function otherVectors(
  { identify }: Accounting,
  { method, request }: AskedVectors,
  model: string,
): (name: ModelName) => Objection | undefined {
  const requested = method === "embed" && !request.allow_other_model ? readName(model) : undefined;
  if (!requested) return () => undefined;
  const meant = identify(requested);
  return (name) => {
    const identity = identify(name);
    if (identity.undated === meant.undated || plainName(name.model) === plainName(requested.model)) return undefined;
    const message = `Vectors of \`${name.provider}/${name.model}\` cannot be compared with those of \`${model}\`; \`allow_other_model\` allows them.`;
    return { reason: "unsupported_operation", message };
  };
}

/** A model without a provider is anybody's. */
function readName(model: string): ModelName | undefined {
  return parseModelName(model) ?? { provider: "", model };
}

/** The name behind the vendor's own prefix of it: `BAAI/bge-m3` and `@cf/baai/bge-m3` are one model. */
function plainName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}
