import type { DecisionRequest } from "../../api/decisions.ts";
import type { Rates } from "../../api/rates.ts";
import { boundCost, type CostBounds } from "../../metering/cost-bound.ts";
import { isRouter } from "../../metering/fees/routers.ts";
import { billedTier, decisionTier, hasTier } from "../../metering/fees/service-tiers.ts";
import type { Bounds, Consumable } from "../../metering/usage-bound.ts";
import { type Limit, separateShared } from "../../policy/limit.ts";
import {
  type Counting,
  countTarget,
  planReservation,
  type Reservation,
  type ReservationContext,
} from "../../policy/limits-reservation.ts";
import { type Refusal, refuse } from "../../policy/refusal.ts";
import type { ModelFacts } from "../../ports/prices.ts";
import type { Target } from "../../routing/plan.ts";
import type { Call } from "../call/call.ts";
import { decidesNatively } from "../runtime/deciding.ts";
import type { PricedTarget } from "./ledger-line.ts";
import { factsElsewhere } from "./target-facts.ts";

/** A target, and the name under which it counts as asked, as `entryName` gives it. */
export interface CountedTarget extends PricedTarget {
  readonly entry: string;
}

/** Milliseconds beyond the deadline after which a reservation lapses: its process is then presumed dead. */
export const graceMs = 60_000;

/** The name of a top-up that stands for every further call: the charge itself has reserved for them. */
export const everyCall = "*";

/** What a target is to reserve of some limits; a refusal where its price is unknown and a budget must not be spent on that. */
export function planCharge(call: Call, limits: readonly Limit[], counted: CountedTarget): Reservation | Refusal {
  const { target } = counted;
  const { settings, counting } = settingsOf(call, counted);
  if (call.cache?.hit || !limits.some(({ unit }) => unit !== "requests")) {
    return planReservation(limits, { cost: { hard: 0, soft: 0 }, tokens: 0, counting }, settings);
  }
  const sizes = sizesOf(call, counted);
  if (sizes?.lacksLogprobs) call.topUps = [...call.topUps, { target: target.name, name: everyCall }];
  return planConsumption(call, limits, { ...counted, consumable: call.facts?.bound(sizes), counting, settings });
}

/** When, under which name and as what a target's reservation counts. */
export function settingsOf(call: Call, { target, at, entry }: CountedTarget) {
  const settings = { reservationId: reservationName(call, target), now: at, expiresAt: call.deadline + graceMs };
  return { settings, counting: countTarget(entry, call.countedEntries) };
}

/** The reservation of what a target may consume at most. */
export function planConsumption(call: Call, limits: readonly Limit[], asked: PlannedTarget): Reservation | Refusal {
  const { consumable, counting, settings } = asked;
  const budgets = limits.filter(({ unit }) => unit === "cost");
  const cost = planCost(call, asked, budgets);
  if ("kind" in cost) return cost;
  const tokens = consumable ? consumable.prompt.soft + consumable.completion.soft : 0;
  return planReservation(limits, { cost, tokens, counting }, settings);
}

/** What is known of a target's model, and how it takes such a call. */
interface AskedModel extends ModelFacts {
  readonly ignoresOutputLimit?: boolean | undefined;
  readonly lacksLogprobs?: boolean | undefined;
  readonly isNativeDecider?: boolean | undefined;
}

/** The sizes of a target's model; with what the target does not keep to, where there is any. */
export function sizesOf(call: Call, { target, facts }: PricedTarget): AskedModel | undefined {
  const { providers, accounting } = call.ports;
  const ignoresOutputLimit =
    providers.get(target.provider)?.billing?.ignoresOutputLimit === true || accounting.overran(target.name);
  const decider = call.requestType === "decision" ? deciderOf(call, target) : undefined;
  if (!ignoresOutputLimit && !decider) return facts;
  return { provider: target.provider, model: target.model, ...facts, ignoresOutputLimit, ...decider };
}

function isAskedNatively({ facts, ports }: Call, { provider, name, model }: Target): boolean {
  const request: Pick<DecisionRequest, "method"> = facts?.request ?? {};
  const asked = ports.providers.get(provider);
  return asked !== undefined && decidesNatively(asked, { request, model, target: name, deciders: ports.deciders });
}

/** How a target is asked for a decision; `undefined` where nothing of it is unusual. */
function deciderOf(call: Call, target: Target) {
  const request: Pick<DecisionRequest, "method"> = call.facts?.request ?? {};
  const isNativeDecider = isAskedNatively(call, target);
  const lacksLogprobs = request.method === "tool" || call.ports.deciders.lacksLogprobs(target.name);
  return isNativeDecider || lacksLogprobs ? { isNativeDecider, lacksLogprobs } : undefined;
}

const nothing: Bounds = { hard: 0, soft: 0 };
/** An unknown amount is more than nothing: a budget without anything left refuses it. */
const leastAmount = 1;

/** A target with the most that the call may consume of it. */
interface BoundedTarget extends PricedTarget {
  readonly consumable: Consumable | undefined;
}

/** The same, and how it is reserved. */
interface PlannedTarget extends BoundedTarget {
  readonly counting: Counting;
  readonly settings: ReservationContext;
}

function planCost(call: Call, counted: BoundedTarget, budgets: readonly Limit[]): Bounds | Refusal {
  if (budgets.length === 0) return nothing;
  const { target, substitute } = counted;
  const known = boundTarget(call, counted);
  const hard = isRouter(target.model) ? undefined : known?.hard;
  if (known && hard !== undefined) return { hard, soft: known.soft };
  const { unpriced } = call.ports;
  const isHard = separateShared(budgets).some((limit) => limit.isHard);
  if (unpriced === "deny" || (isHard && unpriced !== "allow"))
    return refuseUnpriced(target, known !== undefined, isHard);
  const assumed = substitute && boundAt(call, counted, substitute);
  const soft = Math.max(leastAmount, known?.soft ?? assumed?.soft ?? 0);
  return { hard: Math.max(soft, assumed?.hard ?? 0), soft };
}

/** What so much of a target costs at most, wherever it is served; `undefined` without a known price. */
export function boundTarget(call: Call, counted: BoundedTarget): CostBounds | undefined {
  const { rates } = counted.facts ?? {};
  const own = rates && boundAt(call, counted, rates);
  const elsewhere = own && factsElsewhere(call, counted)?.rates;
  if (!own || !elsewhere) return own;
  const other = boundAt(call, counted, elsewhere);
  const isKnown = own.hard !== undefined && other?.hard !== undefined;
  return { hard: isKnown ? Math.max(own.hard, other.hard) : undefined, soft: own.soft };
}

/** What so much of a target costs at most, at some rates. */
function boundAt(call: Call, { consumable, target }: BoundedTarget, rates: Rates): CostBounds | undefined {
  const isNativeDecider = call.requestType === "decision" && isAskedNatively(call, target);
  const { service_tier: tier }: { service_tier?: string | null } = call.facts?.request ?? {};
  const isDecided = isNativeDecider && hasTier(rates, decisionTier);
  const billed = isDecided ? decisionTier : tier === "auto" ? tier : billedTier(target.provider, tier);
  return consumable && boundCost(consumable, rates, billed);
}

function refuseUnpriced({ name }: Target, isPartlyKnown: boolean, isHard: boolean): Refusal {
  const subject = isPartlyKnown
    ? `What this call to \`${name}\` may cost is not known in full (its service tier, a search or tool fee, or the model that a router chooses)`
    : `The price of \`${name}\` is unknown`;
  const budget = isHard ? "a hard budget" : "a budget";
  return refuse(
    "model_blocked",
    `${subject}, and the virtual key has ${budget}: state the price in \`prices\`, or set \`unpriced\`.`,
  );
}

/** A target may be asked again while its earlier reservation is open. The number comes first: model names may contain one. */
function reservationName({ id, countedEntries: { length: before } }: Call, { name }: Target): string {
  return `${id}/${before}/${name}`;
}
