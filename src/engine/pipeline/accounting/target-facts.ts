import type { ModelFacts } from "../../ports/prices.ts";
import { isToolProvider, type ToolServers, toolServerOf } from "../../ports/tools/tool-server.ts";
import type { Target } from "../../routing/plan.ts";
import type { Call } from "../call/call.ts";
import type { PricedTarget } from "./ledger-line.ts";

/**
 * What is known of a target where it is served: in the region that the answer names, else where its provider runs, else where the
 * request asks for it (`inference_geo` of Anthropic).
 */
export function factsOf(
  call: Call,
  target: Pick<Target, "provider" | "model">,
  { at, servedIn }: ServedPlace,
): ModelFacts | undefined {
  const { accounting, providers, tools } = call.ports;
  if (isToolProvider(target.provider)) return toolFacts(tools, target);
  const known = accounting.prices.find(target.provider, target.model, at);
  const region = servedIn ?? providers.get(target.provider)?.billing?.region ?? requestedRegion(call);
  if (region === undefined) return known;
  const located = accounting.prices.find(target.provider, `${region}/${target.model}`, at);
  if (!located?.rates || located.rates === known?.rates) return known;
  return known ? inRegion(known, located) : located;
}

/** What is known of a tool: what a call of it costs, as its server is configured. */
function toolFacts(tools: ToolServers, { provider, model }: Pick<Target, "provider" | "model">): ModelFacts {
  const price = tools.get(toolServerOf(provider))?.priceOf(model) ?? 0;
  return Object.freeze({ provider, model, mode: "tool", rates: Object.freeze({ input_cost_per_request: price }) });
}

/** When a target is asked, and where it says that it answered. */
interface ServedPlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly servedIn?: string | undefined;
}

/** Where Anthropic answers at a price of its own, if a workspace says so and the request does not. */
const dearerPlace = "us";

/** What is known of a target at another place than where it is reserved for, which its answer may name: `undefined` where it will not. */
export function factsElsewhere(call: Call, { target, at, facts }: PricedTarget): ModelFacts | undefined {
  const place = requestedRegion(call) ?? (facts?.provider === "anthropic" ? dearerPlace : undefined);
  const there = place === undefined ? facts : factsOf(call, target, { at, servedIn: place });
  return there === facts ? undefined : there;
}

function requestedRegion({ facts }: Call): string | undefined {
  const { inference_geo: region }: { inference_geo?: unknown } = facts?.request ?? {};
  return typeof region === "string" ? region : undefined;
}

// Facts are the same objects for as long as nothing changes; so are those of a region.
const located = new WeakMap<ModelFacts, ModelFacts>();

/** The model under its own name, at the price of a region. */
function inRegion(known: ModelFacts, there: ModelFacts): ModelFacts {
  const found = located.get(there);
  if (found?.model === known.model) return found;
  const merged = Object.freeze({ ...known, rates: there.rates });
  located.set(there, merged);
  return merged;
}
