import type { ChatChunk } from "../../../api/chat.ts";
import type { ExtraFields } from "../../../api/common.ts";
import { toChunks } from "../../../caching/replay.ts";
import { mergeChunks } from "../../../metering/merge-chunks.ts";
import type { Call } from "../../call/call.ts";
import type { MiddlewareHold } from "../../call/middleware-hold.ts";
import type { ActiveMiddleware } from "../active.ts";
import { passAnswer, withWarnings } from "../answer.ts";
import { releaseCall } from "../release.ts";
import { chunkGuard, plainChunks } from "./chunk-guard.ts";
import { GuardedChunks } from "./guarded-chunks.ts";
import { mostHeld } from "./held-text.ts";

interface GuardedDelivery {
  readonly hold: MiddlewareHold;
  /** The middleware that reads answers. */
  readonly readers: readonly ActiveMiddleware[];
  readonly warnings: readonly string[];
}

/**
 * A stream behind the middleware that reads it: piece by piece where all of them can, else held back until it is whole and passed as a
 * whole answer is. A refusal of the whole rejects before the stream begins.
 */
export async function guardStream(
  call: Call,
  { hold, readers, warnings }: GuardedDelivery,
  source: AsyncIterable<ChatChunk>,
): Promise<AsyncIterable<ChatChunk>> {
  const [first] = readers;
  if (first && !readers.every(readsPieces))
    return streamOf(await passWhole(call, { readers, warnings, first }, source));
  const guard = first ? chunkGuard(readers) : plainChunks(warnings);
  return new GuardedChunks(call, hold, { source, guard });
}

function readsPieces({ middleware: { stream } }: ActiveMiddleware): boolean {
  return stream !== undefined && stream.hold !== "whole";
}

interface WholeDelivery extends Pick<GuardedDelivery, "readers" | "warnings"> {
  readonly first: ActiveMiddleware;
}

async function passWhole(
  call: Call,
  { readers, warnings, first }: WholeDelivery,
  source: AsyncIterable<ChatChunk>,
): Promise<ChatChunk[]> {
  const chunks: ChatChunk[] = [];
  let length = 0;
  for await (const chunk of source) {
    for (const { delta } of chunk.choices) length += JSON.stringify(delta).length;
    if (length > mostHeld) first.context.block("too_much", "The answer is too long to be held back.");
    chunks.push(chunk);
  }
  const answer = await passAnswer(readers, mergeChunks(chunks));
  await releaseCall(call);
  const all = chunks.flatMap(({ extra_fields: extra }) => extra ?? []);
  return annotated(toChunks(answer), all, warnings);
}

/** The chunks of the answer with what those of the stream said of who served. */
function annotated(
  chunks: readonly ChatChunk[],
  all: readonly ExtraFields[],
  warnings: readonly string[],
): ChatChunk[] {
  const [first] = all;
  if (!first) return [...chunks];
  const earlier = [...new Set(all.flatMap((extra) => extra.warnings ?? []))];
  const { warnings: _warnings, cache_debug: _last, ...base } = first;
  const debug = all.findLast(({ cache_debug }) => cache_debug)?.cache_debug;
  return chunks.map((chunk, at) => {
    const isLast = at === chunks.length - 1;
    const latency = isLast ? all.at(-1)?.latency : 0;
    const extra = { ...base, latency, chunk_index: at, ...(isLast && debug ? { cache_debug: debug } : {}) };
    const own = { ...chunk, extra_fields: extra as ExtraFields };
    return at === 0 ? withWarnings(own, [...earlier, ...warnings]) : own;
  });
}

async function* streamOf(chunks: readonly ChatChunk[]): AsyncGenerator<ChatChunk, undefined, undefined> {
  yield* chunks;
  return undefined;
}
