import { type ErrorCode, GatewayError } from "../errors.ts";
import type { Access } from "../policy/access.ts";
import { entryFor } from "../policy/access.ts";
import { decideTarget, listCandidates } from "../policy/decide.ts";
import type { Provider, ProviderVerb } from "../ports.ts";
import { isEligible } from "../route/credential.ts";
import { isBareModel, type ModelName } from "../route/model-name.ts";
import { type Order, orderCandidates } from "../route/order.ts";
import { type Objection, type Plan, planRoute, type Target } from "../route/plan.ts";
import {
  explainRules,
  findRule,
  isExcluded,
  type RuleReport,
  type SteeredRequest,
  steerRequest,
} from "../route/rules.ts";
import type { Books, Ports } from "./ports.ts";

/** What a route is made for. */
export interface RouteQuery {
  readonly request: {
    readonly model: string;
    readonly fallbacks?: readonly string[] | undefined;
    readonly metadata?: unknown;
  };
  /** The provider's method that will be called. */
  readonly method: ProviderVerb;
  /** What the caller's key allows; absent for the trusted caller. */
  readonly access: Access | undefined;
  /** What is left of the tightest budget, in nano-dollars; absent when there is none. */
  readonly budgetLeft?: number | undefined;
}

/** A plan, and the rule that shaped it. */
export interface Route extends Plan {
  /** Name of the rule that acted. */
  readonly rule?: string | undefined;
  /** The rules that were looked at, with what was found. */
  readonly rules?: readonly RuleReport[] | undefined;
}

/** The route of a request: rules first, then the asked model or, for one without a provider, the key's candidates, then fallbacks. */
export function routeFor(ports: Ports, query: RouteQuery): Route {
  const { rules } = ports.routing;
  if (rules.length === 0) return planFor(ports, query, query.request);
  const steered = steerRequest(query.request, findRule(rules, factsOf(ports, query)));
  return { ...planFor(ports, query, steered), rule: steered.rule };
}

/** The same route with what was found of every rule that was looked at. */
export function explainRoute(ports: Ports, query: RouteQuery): Route {
  const { rules } = ports.routing;
  if (rules.length === 0) return routeFor(ports, query);
  return { ...routeFor(ports, query), rules: explainRules(rules, factsOf(ports, query)) };
}

function factsOf(ports: Ports, { request, access, budgetLeft }: RouteQuery) {
  const { metadata } = request;
  return {
    model: request.model,
    metadata: typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>) : undefined,
    key: access?.keyId,
    project: access?.projectId,
    now: ports.clock.now(),
    budgetLeft,
  };
}

function planFor(ports: Ports, query: RouteQuery, steered: SteeredRequest): Plan {
  refuseKeys(ports.books, query.request);
  const objection = (name: ModelName) => objectionTo(ports, query, { name, steered });
  const { model, fallbacks } = steered;
  const candidates = query.access && isBareModel(model) ? candidatesFor(ports, query, model) : undefined;
  const plan = planRoute({ model, fallbacks, objection, candidates });
  return steered.order ? { ...plan, targets: inOrder(ports, plan.targets, steered.order) } : plan;
}

/** A virtual key is no name: told of without repeating it, in no event and no error. */
function refuseKeys({ hideKeys }: Books, { model, fallbacks }: RouteQuery["request"]): void {
  if (hideKeys(model) !== model) throw keyAsName("model");
  const place = fallbacks?.findIndex((name) => hideKeys(name) !== name) ?? -1;
  if (place >= 0) throw keyAsName(`fallbacks.${place}`);
}

function keyAsName(param: string): GatewayError {
  const message = `\`${param}\`: must name a model, not a virtual key or an access token; a key is sent in \`x-tg-key\`.`;
  return new GatewayError("invalid_model", message, { param });
}

/** The providers that may answer for a model without one, in the configured order. */
function candidatesFor(ports: Ports, { access, method }: RouteQuery, model: string): readonly ModelName[] {
  const providers = [...ports.providers.values()]
    .filter((provider) => offers(provider, method))
    .map(({ name }) => name);
  const drawn = listCandidates(access as Access, { model, providers, draw: ports.random() });
  const { order } = ports.routing;
  if (order === "weight") return drawn;
  return inOrder(
    ports,
    drawn.map((name) => ({ ...name, name: `${name.provider}/${name.model}` })),
    order,
  );
}

function inOrder(ports: Ports, targets: readonly Target[], order: Order): readonly Target[] {
  const now = ports.clock.now();
  const measured = targets.map((target) => {
    const rates = ports.books.prices.find(target.provider, target.model, now)?.rates;
    const price = rates && (rates.input_cost_per_token ?? 0) + (rates.output_cost_per_token ?? 0);
    return { ...target, price, latency: ports.health.latencyOf(target.name) };
  });
  const ordered = orderCandidates(measured, order, { draw: ports.random(), now });
  return ordered.map(({ provider, model, name }) => ({ provider, model, name }));
}

interface Considered {
  readonly name: ModelName;
  readonly steered: SteeredRequest;
}

function objectionTo(
  { providers }: Ports,
  { method, access }: RouteQuery,
  { name, steered }: Considered,
): Objection | undefined {
  const provider = providers.get(name.provider);
  if (!provider) {
    const known = [...providers.keys()].join(", ");
    return {
      reason: "provider_not_found",
      message: `No provider \`${name.provider}\` is configured; there are: ${known}.`,
    };
  }
  const decision = access && decideTarget(access, name);
  if (decision?.kind === "refusal") return decision;
  if (!offers(provider, method)) {
    const message = `The provider \`${name.provider}\` does not offer ${verbWords[method]}.`;
    return { reason: "unsupported_operation", message };
  }
  if (isExcluded(steered, name.provider)) {
    return {
      reason: "provider_blocked",
      message: `The rule \`${steered.rule}\` excludes the provider \`${name.provider}\`.`,
    };
  }
  return hasCredential(provider, name, access) ? undefined : noCredential(name);
}

/** Verbs that can be had through another one. */
const through: { readonly [Verb in ProviderVerb]?: ProviderVerb } = { decide: "chat" };

function offers(provider: Provider, method: ProviderVerb): boolean {
  const other = through[method];
  return provider[method] !== undefined || (other !== undefined && provider[other] !== undefined);
}

function hasCredential({ credentials }: Provider, { provider, model }: ModelName, access: Access | undefined): boolean {
  if (!credentials) return true;
  const allows = access && entryFor(access, provider)?.allowsCredential;
  return credentials.some((credential) => isEligible(credential, model) && (!allows || allows(credential.id)));
}

function noCredential({ provider, model }: ModelName): Objection {
  return { reason: "no_eligible_keys", message: `No credential of \`${provider}\` may be used for \`${model}\`.` };
}

const verbWords = {
  chat: "chat",
  streamChat: "streamed chat",
  embed: "embeddings",
  rerank: "rerank",
  decide: "decisions",
  listModels: "a list of models",
} as const satisfies Record<ProviderVerb, string>;

/** Reasons that the name of the model gives, not what the key allows. */
const faultsOfName: ReadonlySet<ErrorCode> = new Set(["invalid_model", "provider_not_found", "unsupported_operation"]);

/** With nobody to ask, the first reason is the error. */
export function refusalOf({ skipped }: Plan): GatewayError {
  const [first] = skipped;
  const param = first && faultsOfName.has(first.reason) ? "model" : undefined;
  return new GatewayError(first?.reason ?? "internal", first?.message ?? "The plan is empty.", { param });
}
