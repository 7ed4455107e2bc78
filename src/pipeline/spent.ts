import type { Usage } from "../api/usage.ts";
import { soundUsage, sumUsages } from "../usage/counts.ts";
import type { Approach } from "./attempt.ts";
import type { Spent } from "./bill.ts";
import type { Call } from "./call.ts";
import { boundRead, countChat, estimateChat, estimateRead, promptOf, type Reader } from "./estimate.ts";
import type { Answered, Parts } from "./parts.ts";

/** What was consumed, as far as it is billed. */
type Consumed = Pick<Spent, "usage" | "parts" | "isEstimated">;

/**
 * What a try consumed that gave no answer: nothing, unless the target answered in part, or for nobody, or lost a race while it was at
 * work. It is taken from the try, so that nothing is billed twice.
 */
export function takeSpent(call: Call, tried: Approach | undefined): Omit<Spent, "error"> {
  if (!tried) return {};
  const { credential, target, deployment: model, parts, answered, consumed, used } = tried;
  tried.answered = undefined;
  tried.consumed = undefined;
  const reader = { target, model };
  const isLost = consumed !== undefined;
  if (parts) return { credential, ...takeParts(call, reader, { parts, isLost }) };
  const generated = isLost ? estimateChat(call, { ...reader, text: consumed, used }) : undefined;
  if (generated) return { credential, ...generated };
  return { credential, ...spentOn(call, reader, { answered, isLost }) };
}

/** What calls in parts consumed together. */
export function spentInParts({ usages, isEstimated }: Pick<Parts, "usages" | "isEstimated">): Consumed {
  return usages.length === 0 ? {} : { usage: sumUsages(usages), parts: usages, isEstimated };
}

/**
 * Chats whose answers had begun were read, and where the target lost a race all that were under way. What is heard of them from now on
 * is nobody's.
 */
function takeParts(call: Call, reader: Reader, { parts, isLost }: { parts: Parts; isLost: boolean }): Consumed {
  const { usages, isEstimated, open } = parts;
  const read = [...open].filter(([, hasBegun]) => hasBegun || isLost);
  const counted = read.map(([body]) => countChat(call, body, { ...reader, text: "" }));
  open.clear();
  Object.assign(parts, { isEstimated: false, isSplit: true, asker: "" });
  return spentInParts({ usages: [...usages.splice(0), ...counted], isEstimated: isEstimated || counted.length > 0 });
}

/** What a target that lost a race had answered until then, or one that failed. */
interface Told {
  readonly answered: readonly Answered[] | undefined;
  readonly isLost: boolean;
}

/**
 * What was answered is billed as it is told, and what does not tell by an estimate: parts that were answered, and all the rest where the
 * target was at work on it. Both together stay within what a reservation takes the whole request for, as far as we count.
 */
function spentOn(call: Call, reader: Reader, { answered = [], isLost }: Told): Consumed {
  const silent = answered.filter(({ usage }) => soundUsage(usage) === undefined);
  const told = answered.flatMap(({ usage }) => soundUsage(usage) ?? []);
  if (told.length > 0 && !soundUsage(sumUsages(told))) {
    return spentOn(call, reader, { answered: answered.map(({ request }) => ({ request, usage: undefined })), isLost });
  }
  if (!isLost && silent.length === 0) return { usage: sumUsages(told), isEstimated: false };
  const bound = boundRead(call, reader);
  const left = Math.max(0, bound.tokens - (sumUsages(told)?.prompt_tokens ?? 0));
  const read = isLost ? restOf(call, reader, answered) : estimateAll(call, reader, silent);
  const tokens = Math.min(read.prompt_tokens, left);
  const queries = Math.max(0, bound.queries - told.reduce((sum, usage) => sum + unitsOf(usage), 0));
  const units = read.search_units === undefined ? {} : { search_units: Math.min(unitsOf(read), queries) };
  const estimated = tokens > 0 ? [{ ...units, ...promptOf(tokens) }] : [];
  return { usage: sumUsages([...told, ...estimated]), isEstimated: estimated.length > 0 };
}

/** What was read beside the parts that told. */
function restOf(call: Call, reader: Reader, answered: readonly Answered[]): Usage {
  const whole = estimateAll(call, reader, [undefined]);
  const known = answered.filter(({ usage }) => soundUsage(usage) !== undefined);
  if (known.length === 0) return whole;
  const { prompt_tokens } = estimateAll(call, reader, known);
  return promptOf(whole.prompt_tokens - prompt_tokens);
}

/** The estimates of some parts together, or of the whole for `undefined`. */
function estimateAll(call: Call, reader: Reader, parts: readonly (Answered | undefined)[]): Usage {
  return sumUsages(parts.flatMap((part) => estimateRead(call, reader, part?.request) ?? [])) ?? promptOf(0);
}

/** Rerank queries; what is no count is none. */
function unitsOf({ search_units: units }: Usage): number {
  return typeof units === "number" && units > 0 ? units : 0;
}
