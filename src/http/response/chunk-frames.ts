import type { ChatChunk } from "../../engine/api/chat.ts";
import type { ExtraFields } from "../../engine/api/common.ts";
import { chunkWithOpenaiNames } from "./openai-names.ts";
import { doneFrame, type FrameWriter, toFrame } from "./sse.ts";

type FrameChoice = ChatChunk["choices"][number];

/** A chunk that brings one text, taken apart. */
interface Plain {
  readonly chunk: ChatChunk;
  readonly choice: FrameChoice;
  readonly extra: ExtraFields;
}

/** What stands around the text, the latency and the position of a frame. */
type Pieces = readonly [string, string, string, string];

/** Each chunk as a frame of its own, `data: [DONE]` last. */
export function plainWriter(reportFailure: (thrown: unknown) => string): FrameWriter<ChatChunk> {
  const write = chunkFrames();
  return { write: (chunk) => write(chunkWithOpenaiNames(chunk)), end: () => doneFrame, fail: reportFailure };
}

/**
 * Chunks as frames. Most chunks of a stream differ from the one before in their text, latency and position only: the rest of their frame
 * is written once and used again, since to write JSON costs a chunk a quarter of all that is done with it.
 */
function chunkFrames(): (chunk: ChatChunk) => string {
  let last: Plain | undefined;
  let pieces: Pieces | undefined;
  return (chunk) => {
    const plain = takeApart(chunk);
    if (plain === undefined) return toFrame(chunk);
    if (last === undefined || !isAlike(plain, last)) {
      last = plain;
      pieces = undefined;
      return toFrame(chunk);
    }
    pieces ??= piecesOf(plain);
    const { extra, choice } = plain;
    if (pieces === undefined) return toFrame(chunk);
    return `${pieces[0]}${quote(choice.delta.content as string)}${pieces[1]}${extra.latency}${pieces[2]}${extra.chunk_index}${pieces[3]}`;
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them, and halves of surrogate pairs
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text as JSON; most have nothing to escape. */
function quote(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** `undefined` for a chunk that is more than one text with its log probabilities. */
function takeApart(chunk: ChatChunk): Plain | undefined {
  const { choices, extra_fields: extra } = chunk;
  const [choice] = choices;
  if (choices.length !== 1 || choice === undefined || extra === undefined) return undefined;
  for (const field in choice.delta) if (field !== "content") return undefined;
  if (typeof choice.delta.content !== "string") return undefined;
  return Number.isFinite(extra.latency) && Number.isFinite(extra.chunk_index) ? { chunk, choice, extra } : undefined;
}

function isAlike(one: Plain, other: Plain): boolean {
  return (
    isSame(one.chunk, other.chunk, chunkParts) &&
    isSame(one.choice, other.choice, choiceParts) &&
    isSame(one.extra, other.extra, extraParts)
  );
}

const chunkParts: ReadonlySet<string> = new Set(["choices", "extra_fields"]);
const choiceParts: ReadonlySet<string> = new Set(["delta"]);
const extraParts: ReadonlySet<string> = new Set(["latency", "chunk_index"]);

/** True when both have the same fields with the same plain values, but for those looked at elsewhere. */
function isSame(one: object, other: object, except: ReadonlySet<string>): boolean {
  let fields = 0;
  for (const field in one) {
    fields += 1;
    const value: unknown = one[field as never];
    if (value !== other[field as never] ? !except.has(field) : typeof value === "object" && value !== null)
      return false;
  }
  for (const _field in other) fields -= 1;
  return fields === 0;
}

/** The parts of a chunk's frame; undefined when a mark of ours stands in the chunk itself. */
function piecesOf({ chunk, choice, extra }: Plain): Pieces | undefined {
  const marked = {
    ...chunk,
    choices: [{ ...choice, delta: { content: "\u0001text" } }],
    extra_fields: { ...extra, latency: "\u0001latency", chunk_index: "\u0001index" },
  };
  const parts = toFrame(marked).split(/"\\u0001(text|latency|index)"/);
  const [before, text, between, latency, rest, index, after] = parts as [string, ...string[]];
  if (parts.length !== 7 || text !== "text" || latency !== "latency" || index !== "index") return undefined;
  return [before, between as string, rest as string, after as string];
}
