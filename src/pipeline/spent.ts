import type { Usage } from "../api/usage.ts";
import { soundUsage, sumUsages } from "../usage/counts.ts";
import type { Approach } from "./attempt.ts";
import type { Call } from "./call.ts";
import { countChat, estimateChat, estimateRead, type Reader } from "./estimate.ts";
import type { Answered, Parts } from "./parts.ts";
import type { Spent } from "./tab.ts";

/** What was consumed, as far as it is billed. */
type Consumed = Pick<Spent, "usage" | "parts" | "isEstimated">;

/**
 * What a try consumed that gave no answer: nothing, unless the target answered in part, or for nobody, or lost a race while it was at
 * work. It is taken from the try, so that nothing is billed twice.
 */
export function takeSpent(call: Call, tried: Approach | undefined): Omit<Spent, "error"> {
  if (!tried) return {};
  const { credential, target, deployment: model, parts, answered, consumed } = tried;
  tried.answered = undefined;
  tried.consumed = undefined;
  const reader = { target, model };
  const isLost = consumed !== undefined;
  if (parts) return { credential, ...spentInParts(isLost ? withOpen(call, reader, parts) : parts) };
  const generated = isLost ? estimateChat(call, { ...reader, text: consumed }) : undefined;
  if (generated) return { credential, usage: generated, isEstimated: true };
  return { credential, ...spentOn(call, reader, { answered, isLost }) };
}

/** What calls in parts consumed together. */
export function spentInParts({ usages, isEstimated }: Pick<Parts, "usages" | "isEstimated">): Consumed {
  return usages.length === 0 ? {} : { usage: sumUsages(usages), parts: usages, isEstimated };
}

/** The chats that were under way have been read, too. */
function withOpen(call: Call, reader: Reader, { usages, isEstimated, open }: Parts) {
  const read = [...open].map((body) => countChat(call, body, { ...reader, text: "" }));
  return { usages: [...usages, ...read], isEstimated: isEstimated || read.length > 0 };
}

/** What a target that lost a race had answered until then, or one that failed. */
interface Told {
  readonly answered: readonly Answered[] | undefined;
  readonly isLost: boolean;
}

/** What was answered is billed as it is told; the rest of a request is taken for read where the target was at work on it. */
function spentOn(call: Call, reader: Reader, { answered = [], isLost }: Told): Consumed {
  const told = answered.flatMap(({ request, usage }) => soundUsage(usage) ?? estimateRead(call, reader, request) ?? []);
  const rest = isLost ? restOf(call, reader, { answered, told }) : undefined;
  const isCounted = answered.some(({ usage }) => soundUsage(usage) === undefined);
  return { usage: sumUsages(rest ? [...told, rest] : told), isEstimated: isCounted || rest !== undefined };
}

interface Known {
  readonly answered: readonly Answered[];
  readonly told: readonly Usage[];
}

/** The estimate of what was not answered; with what was told, no more than a reservation takes the whole request for. */
function restOf(call: Call, reader: Reader, { answered, told }: Known): Usage | undefined {
  const whole = estimateRead(call, reader);
  if (!whole || answered.length === 0) return whole;
  const counted = answered.map(({ request }) => estimateRead(call, reader, request));
  const tokens = whole.prompt_tokens - Math.max(sizeOf(counted), sizeOf(told));
  return tokens > 0 ? { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } : undefined;
}

function sizeOf(usages: readonly (Usage | undefined)[]): number {
  return usages.reduce((sum, usage) => sum + (usage?.prompt_tokens ?? 0), 0);
}
