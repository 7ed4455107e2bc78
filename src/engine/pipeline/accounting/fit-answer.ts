import type { Bounds, Consumable } from "../../metering/usage-bound.ts";
import type { Limit } from "../../policy/limit.ts";
import type { Reservation } from "../../policy/limits-reservation.ts";
import type { Refusal } from "../../policy/refusal.ts";
import type { Shortfall } from "../../ports/counters.ts";
import type { Call } from "../call/call.ts";
import { boundTarget, type CountedTarget, planConsumption, settingsOf, sizesOf } from "./plan-charge.ts";

/** A reservation that the counters refused. */
export interface ShortReservation {
  readonly reservation: Reservation;
  readonly shortfall: Shortfall;
}

/** Answers shorter than this are not worth their prompt. */
const shortestAnswer = 16;

/**
 * The tokens that each answer of a chat may have so that the call fits into what a budget leaves; 0 where it is no chat, where another
 * limit is short, where the target does not keep to a limit, and where even the shortest answer would not fit.
 */
export function fitAnswer(call: Call, counted: CountedTarget, { reservation, shortfall }: ShortReservation): number {
  const limit = reservation.limits[shortfall.position];
  const hold = reservation.call.holds[shortfall.position];
  const sizes = sizesOf(call, counted);
  if (limit?.unit !== "cost" || !hold || !isChat(call) || sizes?.ignoresOutputLimit) return 0;
  const consumable = call.facts?.bound(sizes);
  if (!consumable || !counted.facts?.rates) return 0;
  const enforcement = limit.isHard ? "hard" : "soft";
  const cost = (completion: Bounds) => boundTarget(call, { ...counted, consumable: { ...consumable, completion } });
  const most = consumable.completion[enforcement];
  const [whole, prompt] = [cost(consumable.completion)?.[enforcement], cost({ hard: 0, soft: 0 })?.[enforcement]];
  if (whole === undefined || prompt === undefined || most === 0 || whole <= prompt) return 0;
  const tokens = Math.floor(((shortfall.left - prompt) * most) / (whole - prompt));
  const each = Math.floor(Math.min(tokens, most) / choicesOf(call));
  return each >= shortestAnswer ? each : 0;
}

/** The reservation of a call whose answers have so many tokens at most. */
export function planFitted(
  call: Call,
  limits: readonly Limit[],
  { counted, tokens }: { readonly counted: CountedTarget; readonly tokens: number },
): Reservation | Refusal {
  const bound = call.facts?.bound(sizesOf(call, counted));
  const total = tokens * choicesOf(call);
  const completion = bound && {
    hard: Math.min(total, bound.completion.hard),
    soft: Math.min(total, bound.completion.soft),
  };
  const consumable: Consumable | undefined = bound && completion && { ...bound, completion };
  return planConsumption(call, limits, { ...counted, consumable, ...settingsOf(call, counted) });
}

/** Whether the answer is to be fitted into what a budget leaves. */
export function isFitting({ options }: Call, { reservation, shortfall }: ShortReservation): boolean {
  const limit = reservation.limits[shortfall.position];
  return options.fit ?? (limit?.twins ?? [limit]).some((each) => each?.isFitting === true);
}

function isChat({ requestType }: Call): boolean {
  return requestType === "chat_completion" || requestType === "chat_completion_stream";
}

function choicesOf({ facts }: Call): number {
  const { n }: { n?: unknown } = facts?.request ?? {};
  return typeof n === "number" && n > 1 ? n : 1;
}
