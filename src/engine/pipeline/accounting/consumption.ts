import type { Usage } from "../../api/usage.ts";
import { soundUsage, sumUsages } from "../../metering/counts.ts";
import type { Call } from "../call/call.ts";
import { boundRead, type CountedModel, countChat, estimateChat, estimateRead, promptOf } from "./count-tokens.ts";
import type { Consumption } from "./ledger-line.ts";
import type { PartialAnswer, SubCalls } from "./sub-calls.ts";

/** What was consumed, as far as it is billed. */
type ConsumedUsage = Pick<Consumption, "usage" | "parts" | "isEstimated">;

/** What a try consumed without an answer that says so: it is billed when the try fails or loses a race. */
export interface TryConsumption {
  /** Text that the target generated and no caller got, possibly none, once it has read the prompt: both are billed. */
  lostText?: string | undefined;
  /** The usage that the target reported last, in the middle of a stream. */
  partialUsage?: Usage | undefined;
  /** Dollars that the target states for an answer without usage. */
  statedCost?: number | undefined;
  /** What the target has answered in this try, in part or with what cannot be used. */
  partialAnswers?: PartialAnswer[] | undefined;
  /** The parts that a verb has so far, from this try and earlier ones of the same target. */
  subCalls?: SubCalls | undefined;
}

/** The target of a try, and what the try consumed. */
export interface ConsumingTry extends CountedModel {
  readonly credential: string | undefined;
  readonly consumed: TryConsumption;
}

/**
 * The consumption of a try without an answer: nothing, unless the target answered in part, or for no caller, or lost a race while
 * it was at work. It is removed from the try, so that nothing is billed twice.
 */
export function takeConsumption(call: Call, tried: ConsumingTry): Omit<Consumption, "error"> {
  const { credential, target, model, consumed } = tried;
  const { subCalls, partialAnswers, lostText, partialUsage } = consumed;
  consumed.partialAnswers = undefined;
  consumed.lostText = undefined;
  const counted = { target, model };
  const isLost = lostText !== undefined;
  if (subCalls) return { credential, ...takeSubCalls(call, counted, { parts: subCalls, isLost }) };
  const generated = isLost ? estimateChat(call, { ...counted, text: lostText, used: partialUsage }) : undefined;
  if (generated) return { credential, ...generated };
  return { credential, ...consumedOn(call, counted, { answered: partialAnswers, isLost }) };
}

/** The joint consumption of calls in parts. */
export function sumOfParts({ usages, isEstimated }: Pick<SubCalls, "usages" | "isEstimated">): ConsumedUsage {
  return usages.length === 0 ? {} : { usage: sumUsages(usages), parts: usages, isEstimated };
}

/**
 * Chats whose answers had begun were read, and where the target lost a race, all that were under way. What they report from now
 * on is ignored.
 */
function takeSubCalls(
  call: Call,
  reader: CountedModel,
  { parts, isLost }: { parts: SubCalls; isLost: boolean },
): ConsumedUsage {
  const { usages, isEstimated, open } = parts;
  const read = [...open].filter(([, hasBegun]) => hasBegun || isLost);
  const counted = read.map(([body]) => countChat(call, body, { ...reader, text: "" }));
  open.clear();
  Object.assign(parts, { isEstimated: false, isSplit: true, asker: "" });
  return sumOfParts({ usages: [...usages.splice(0), ...counted], isEstimated: isEstimated || counted.length > 0 });
}

/** What a target had answered before it lost a race or failed. */
interface LostAnswers {
  readonly answered: readonly PartialAnswer[] | undefined;
  readonly isLost: boolean;
}

/**
 * Bills answered parts by the usage that they report, and by an estimate those that report none, and all the rest where the
 * target was at work on it. Both together stay within what a reservation takes the whole request for, as far as we count.
 */
function consumedOn(call: Call, reader: CountedModel, { answered = [], isLost }: LostAnswers): ConsumedUsage {
  const silent = answered.filter(({ usage }) => soundUsage(usage) === undefined);
  const reported = answered.flatMap(({ usage }) => soundUsage(usage) ?? []);
  if (reported.length > 0 && !soundUsage(sumUsages(reported))) {
    return consumedOn(call, reader, {
      answered: answered.map(({ request }) => ({ request, usage: undefined })),
      isLost,
    });
  }
  if (!isLost && silent.length === 0) return { usage: sumUsages(reported), isEstimated: false };
  const bound = boundRead(call, reader);
  const left = Math.max(0, bound.tokens - (sumUsages(reported)?.prompt_tokens ?? 0));
  const read = isLost ? restOf(call, reader, answered) : estimateAll(call, reader, silent);
  const tokens = Math.min(read.prompt_tokens, left);
  const queries = Math.max(0, bound.queries - reported.reduce((sum, usage) => sum + unitsOf(usage), 0));
  const units = read.search_units === undefined ? {} : { search_units: Math.min(unitsOf(read), queries) };
  const estimated = tokens > 0 ? [{ ...units, ...promptOf(tokens) }] : [];
  return { usage: sumUsages([...reported, ...estimated]), isEstimated: estimated.length > 0 };
}

/** What was read besides the parts with a reported usage. */
function restOf(call: Call, reader: CountedModel, answered: readonly PartialAnswer[]): Usage {
  const whole = estimateAll(call, reader, [undefined]);
  const known = answered.filter(({ usage }) => soundUsage(usage) !== undefined);
  if (known.length === 0) return whole;
  const { prompt_tokens } = estimateAll(call, reader, known);
  return promptOf(whole.prompt_tokens - prompt_tokens);
}

/** The estimates of some parts together, or of the whole for `undefined`. */
function estimateAll(call: Call, reader: CountedModel, parts: readonly (PartialAnswer | undefined)[]): Usage {
  return sumUsages(parts.flatMap((part) => estimateRead(call, reader, part?.request) ?? [])) ?? promptOf(0);
}

/** Rerank queries; an invalid count is zero. */
function unitsOf({ search_units: units }: Usage): number {
  return typeof units === "number" && units > 0 ? units : 0;
}
