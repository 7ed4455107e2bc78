import type { Usage } from "../api/usage.ts";
import type { GatewayError } from "../errors.ts";
import { entryFor, entryName } from "../policy/access.ts";
import type { Limit } from "../policy/limit.ts";
import { type Refusal, refuse } from "../policy/refusal.ts";
import {
  chargeReservation,
  countTarget,
  findTightest,
  mostReserved,
  planReservation,
  type Reservation,
  refuseShortfall,
  standRefused,
} from "../policy/reservation.ts";
import type { Settlement, Shortfall, Ticket } from "../ports/counters.ts";
import type { LedgerAttempt } from "../ports/ledger.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { ModelFacts } from "../ports.ts";
import type { Target } from "../route/plan.ts";
import { type Bill, priceUsage } from "../usage/cost.ts";
import { partOf } from "../usage/counts.ts";
import type { SearchContextSize } from "../usage/rates.ts";
import { billReserved, boundCost } from "../usage/reservation.ts";
import { sumBills } from "../usage/sum.ts";
import { announceDefect, type Call, since } from "./call.ts";
import type { Rates } from "./call-options.ts";

/** What asking one target takes of the caller's limits and money: reserved before, settled once after. */
export interface Tab {
  readonly kind: "tab";
  readonly target: Target;
  /** When it was opened: the instant of its reservation. */
  readonly at: number;
  /** What is known of the model, its price among it. */
  readonly facts: ModelFacts | undefined;
  readonly reservation: Reservation | undefined;
  readonly ticket: Ticket | undefined;
  isClosed: boolean;
  /** The call goes on without this target. */
  isMidway: boolean;
}

/** What the target gave, as far as it is billed. */
export interface Spent {
  /** Why it failed; absent when it answered. */
  readonly error?: GatewayError | undefined;
  /** As {@link soundUsage} gives it. */
  readonly usage?: Usage | undefined;
  /** The usage of each call, where the target was asked in parts; they sum to `usage`. */
  readonly parts?: readonly Usage[] | undefined;
  /** The usage was counted by us. */
  readonly isEstimated?: boolean | undefined;
  readonly serviceTier?: string | null | undefined;
  readonly credential?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly firstContentAt?: number | undefined;
}

/** Milliseconds beyond the deadline after which a reservation lapses: its process is then taken for dead. */
const graceMs = 60_000;

/** Opens a tab: looks the model up and reserves what the call may use up at most, or says which limit refuses it. */
export function openTab(call: Call, target: Target): MaybePromise<Tab | Refusal> {
  const { clock, books } = call.ports;
  const at = clock.now();
  const facts = books.prices.find(target.provider, target.model, at);
  const { access } = call;
  // Who embeds for the cache need not be allowed by the key; what holds whoever is asked holds there, too.
  const limits = access && (entryFor(access, target.provider)?.limits ?? access.limits);
  const bare = { target, at, facts };
  if (!limits || limits.length === 0) return newTab(bare, undefined, undefined);
  const reservation = reserveFor(call, limits, bare);
  if ("kind" in reservation) return reservation;
  const complete = (outcome: Ticket | Shortfall): Tab | Refusal => {
    if (outcome.kind === "shortfall") {
      const refusal = refuseShortfall(reservation, outcome);
      tellRates(call, {
        at,
        requests: standRefused(refusal, "requests"),
        tokens: standRefused(refusal, "tokens"),
      });
      return refusal;
    }
    call.countedAt = [...call.countedAt, entryName(access, target.provider)];
    tellRates(call, {
      at,
      requests: findTightest(reservation, outcome, "requests"),
      tokens: findTightest(reservation, outcome, "tokens"),
    });
    return newTab(bare, reservation, outcome);
  };
  const outcome = books.counters.reserve(reservation.call);
  return outcome instanceof Promise ? outcome.then(complete) : complete(outcome);
}

/** A caller who fails to listen must not keep what was reserved from being given back. */
function tellRates(call: Call, rates: Rates): void {
  try {
    call.options.onRates?.(rates);
  } catch (thrown) {
    announceDefect(call, thrown);
  }
}

type Bare = Pick<Tab, "target" | "at" | "facts">;

function newTab({ target, at, facts }: Bare, reservation: Reservation | undefined, ticket: Ticket | undefined): Tab {
  return { kind: "tab", target, at, facts, reservation, ticket, isClosed: false, isMidway: false };
}

function reserveFor(call: Call, limits: readonly Limit[], { target, at, facts }: Bare): Reservation | Refusal {
  const terms = { ticket: nameTicket(call, target), now: at, expiresAt: call.deadline + graceMs };
  const counting = countTarget(entryName(call.access, target.provider), call.countedAt);
  const request = call.asked?.request;
  if (call.cache?.hit || !limits.some(({ unit }) => unit !== "requests")) {
    return planReservation(limits, { cost: { hard: 0, soft: 0 }, tokens: 0, counting }, terms);
  }
  const consumable = call.asked?.bound(facts);
  const { service_tier: tier }: { service_tier?: string | null } = request ?? {};
  const cost = consumable && facts?.rates && boundCost(consumable, facts.rates, tier);
  if (!cost && call.ports.books.deniesUnpriced && limits.some(({ unit }) => unit === "cost")) {
    return refuse("model_blocked", `The price of \`${target.name}\` is unknown, and the virtual key has a budget.`);
  }
  const tokens = consumable ? consumable.prompt.soft + consumable.completion.soft : 0;
  return planReservation(limits, { cost: cost ?? { hard: 0, soft: 0 }, tokens, counting }, terms);
}

/** A target may be asked again while what it took before is still reserved; the number comes first, since a model may be called so. */
function nameTicket({ id, countedAt: { length: before } }: Call, { name }: Target): string {
  return `${id}/${before}/${name}`;
}

/**
 * Closes a tab as {@link closeTab} does while the call goes on. What was spent stays reserved until the entry of the call is written:
 * a store may write what counters hold at any time, and charges the entry on top of that after a death.
 */
export function closeMidway(call: Call, tab: Tab, spent: Spent): Bill | undefined {
  tab.isMidway = true;
  return closeTab(call, tab, spent);
}

/** Closes a tab, once: prices what was spent, settles the reservation, writes the target's line of the bill. */
export function closeTab(call: Call, tab: Tab, spent: Spent): Bill | undefined {
  if (tab.isClosed) return undefined;
  tab.isClosed = true;
  let bill: Bill | undefined;
  try {
    bill = priceOf(call, tab, spent);
  } catch (thrown) {
    announceDefect(call, thrown);
    return closeUnpriceable(call, tab, spent);
  }
  const real = { requests: 1, tokens: spent.usage?.total_tokens ?? 0, cost: bill?.total ?? 0 };
  settleTab(call, tab, (reservation) => chargeReservation(reservation, real));
  writeLine(call, { tab, spent, bill });
  return bill;
}

/** What cannot be priced because of a defect costs the most that was reserved, on every level and in the books: no hard budget is passed. */
function closeUnpriceable(call: Call, tab: Tab, spent: Spent): undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = spent.usage as Usage; // what has none needs no price
  const cost = tab.reservation ? mostReserved(tab.reservation, "cost") : 0;
  const charged = { requests: 1, tokens: total_tokens, cost };
  settleTab(call, tab, (reservation) => chargeReservation(reservation, charged));
  const usage = { prompt_tokens, completion_tokens, total_tokens };
  const isEstimated = spent.isEstimated === true || cost > 0;
  writeLine(call, { tab, spent: { ...spent, usage, isEstimated }, bill: billReserved(cost) });
}

function settleTab(call: Call, tab: Tab, charge: (reservation: Reservation) => readonly number[]): void {
  const { ticket, reservation, isMidway } = tab;
  if (!ticket || !reservation) return;
  const { books, clock } = call.ports;
  const real = charge(reservation);
  const narrowed = isMidway && !call.isSettled ? narrow(call, ticket, real) : undefined;
  if (narrowed === undefined) takeIn(call, books.counters.settle(ticket, real, clock.now()));
  else call.owed = [...call.owed, { ticket, real, narrowed }];
  if (narrowed instanceof Promise) narrowed.catch(() => {}); // the settlement mends that, or is told of
}

/** `undefined` where the counters cannot, or fail to: the ticket is then settled at once. */
function narrow(call: Call, ticket: Ticket, real: readonly number[]): MaybePromise<boolean> | undefined {
  const { books, clock } = call.ports;
  try {
    return books.counters.narrow?.(ticket, real, clock.now());
  } catch (thrown) {
    announceDefect(call, thrown);
    return undefined;
  }
}

/** What was spent, as a bill; `undefined` without usage or without a known price. */
export function priceOf(call: Call, { facts, target }: Tab, { usage, parts, serviceTier }: Spent): Bill | undefined {
  const rates = facts?.rates;
  if (!usage || !rates) return undefined;
  if (parts) return sumBills(parts.map((part) => priceUsage({ usage: part, serviceTier }, rates)));
  return priceUsage({ usage, serviceTier, ...searchOf(call, target, usage) }, rates);
}

/** Notes what settling gave, or waits for it before the call's entry is written. */
export function takeIn(call: Call, settlement: MaybePromise<Settlement>): void {
  if (!(settlement instanceof Promise)) {
    addStandings(call, settlement);
    return;
  }
  const taken = settlement.then((settled) => addStandings(call, settled));
  taken.catch(() => {}); // told when the books are closed, which may be many tries later: nobody waits for it until then
  call.pending.push(taken);
}

function addStandings(call: Call, { standings }: Settlement): void {
  call.standings = call.standings.length === 0 ? standings : [...call.standings, ...standings];
}

/** What is read of a wish for web search; vendors take a medium context where none is named. */
interface WebSearch {
  readonly search_context_size?: SearchContextSize;
}

function searchOf(call: Call, { provider }: Target, usage: Usage): { searchContextSize?: SearchContextSize } {
  const request: { web_search_options?: WebSearch } = call.asked?.request ?? {};
  const search = request.web_search_options;
  if (!search) return {};
  const isTold = usage.completion_tokens_details?.num_search_queries !== undefined;
  if (!isTold && call.ports.providers.get(provider)?.tellsSearches) return {};
  return { searchContextSize: search.search_context_size ?? "medium" };
}

interface Line {
  readonly tab: Tab;
  readonly spent: Spent;
  readonly bill: Bill | undefined;
}

function writeLine(call: Call, line: Line): void {
  if (call.ports.books.ledger && !call.cache?.hit) call.billed = [...call.billed, lineOf(call, line)];
}

function lineOf({ ports }: Call, { tab: { target, at, facts }, spent, bill }: Line): LedgerAttempt {
  const now = ports.clock.now();
  const { error, usage, firstContentAt } = spent;
  const { prompt_tokens = 0, completion_tokens = 0 } = usage ?? {};
  return {
    at,
    provider: target.provider,
    model: target.name,
    credential: spent.credential,
    status: error?.status ?? 200,
    reason: error?.code ?? "ok",
    latency: since(at, now),
    time_to_first_token: firstContentAt === undefined ? undefined : since(at, firstContentAt),
    prompt_tokens,
    completion_tokens,
    cached_read_tokens: partOf(usage?.prompt_tokens_details?.cached_read_tokens, prompt_tokens),
    cached_write_tokens: partOf(usage?.prompt_tokens_details?.cached_write_tokens, prompt_tokens),
    reasoning_tokens: partOf(usage?.completion_tokens_details?.reasoning_tokens, completion_tokens),
    cost: bill?.total ?? 0,
    items: bill?.items ?? [],
    price_version: facts?.rates && ports.books.prices.version,
    is_estimated: spent.isEstimated === true,
    is_unpriced: usage !== undefined && (!bill || bill.unpriced.length > 0),
  };
}
