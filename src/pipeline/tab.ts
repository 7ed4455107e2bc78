import type { Usage } from "../api/usage.ts";
import { entryFor } from "../policy/access.ts";
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
import type { Settlement, Shortfall, Standing, Ticket } from "../ports/counters.ts";
import { hear } from "../ports/hear.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Target } from "../route/plan.ts";
import type { Bill } from "../usage/cost.ts";
import { billReserved, boundCost } from "../usage/reservation.ts";
import { type Bare, priceOf, type Spent, writeLine } from "./bill.ts";
import { announceDefect, type Call } from "./call.ts";
import type { Rates } from "./call-options.ts";
import { reserveWithin } from "./reserve.ts";

/** What asking one target takes of the caller's limits and money: reserved before, settled once after. */
export interface Tab extends Bare {
  readonly kind: "tab";
  readonly reservation: Reservation | undefined;
  readonly ticket: Ticket | undefined;
  isClosed: boolean;
  /** The call goes on without this target. */
  isMidway: boolean;
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
  const own = access && entryFor(access, target.provider);
  const limits = (own ?? access)?.limits;
  const bare = { target, at, facts };
  if (!limits || limits.length === 0) return newTab(bare, undefined, undefined);
  const entry = own?.provider ?? target.provider;
  const reservation = reserveFor(call, limits, { target, at, facts, entry });
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
    call.countedAt = [...call.countedAt, entry];
    tellRates(call, {
      at,
      requests: findTightest(reservation, outcome, "requests"),
      tokens: findTightest(reservation, outcome, "tokens"),
    });
    return newTab(bare, reservation, outcome);
  };
  const outcome = reserveWithin(call, reservation.call);
  return outcome instanceof Promise ? outcome.then(complete) : complete(outcome);
}

/** A caller who fails to listen must not keep what was reserved from being given back. */
function tellRates(call: Call, rates: Rates): void {
  const { onRates } = call.options;
  if (onRates)
    hear(
      () => onRates(rates),
      (thrown) => announceDefect(call, thrown),
    );
}

function newTab({ target, at, facts }: Bare, reservation: Reservation | undefined, ticket: Ticket | undefined): Tab {
  return { kind: "tab", target, at, facts, reservation, ticket, isClosed: false, isMidway: false };
}

/** A target, and the name under which it counts as asked, as `entryName` gives it. */
interface Counted extends Bare {
  readonly entry: string;
}

function reserveFor(
  call: Call,
  limits: readonly Limit[],
  { target, at, facts, entry }: Counted,
): Reservation | Refusal {
  const terms = { ticket: nameTicket(call, target), now: at, expiresAt: call.deadline + graceMs };
  const counting = countTarget(entry, call.countedAt);
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
  if (narrowed === undefined) takeIn(call, () => books.counters.settle(ticket, real, clock.now()));
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

/** Settles and notes what that gave, or has it waited for before the call's entry is written. Where it fails, the bill is written all the same. */
export function takeIn(call: Call, settle: () => MaybePromise<Settlement>): void {
  let taken: Promise<void>;
  try {
    const settlement = settle();
    if (!(settlement instanceof Promise)) {
      addStandings(call, settlement);
      return;
    }
    taken = settlement.then((settled) => addStandings(call, settled));
  } catch (thrown) {
    taken = Promise.reject(thrown);
  }
  taken.catch(() => {}); // told when the books are closed, which may be many tries later: nobody waits for it until then
  call.pending.push(taken);
}

function addStandings(call: Call, { standings }: Settlement): void {
  if (call.isEntered && standings.length > 0) enterLate(call, standings);
  call.standings = call.standings.length === 0 ? standings : [...call.standings, ...standings];
}

/** What came too late for the entry of its call, which is in the ledger. */
function enterLate(call: Call, standings: readonly Standing[]): void {
  hear(
    () => call.ports.books.ledger?.append([], standings),
    (thrown) => announceDefect(call, thrown),
  );
}
