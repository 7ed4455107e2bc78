import type { ChatChunk, ChunkChoice } from "../../../api/chat.ts";
import type { ActiveMiddleware } from "../active.ts";
import { noteLoss, textPasser, withWarnings } from "../answer.ts";
import { passExtras } from "../chat-texts.ts";
import { type GuardedChoice, type GuardedStream, guardChoice } from "./guarded-choice.ts";
import { passThrough } from "./held-text.ts";

/** Passes the chunks of one stream. */
export interface ChunkGuard {
  read(chunk: ChatChunk): Promise<ChatChunk[]>;
  end(): Promise<ChatChunk[]>;
}

/** The guards of a stream; `guards` are those that read texts piece by piece, in the order of the list. */
export function chunkGuard(guards: readonly ActiveMiddleware[]): ChunkGuard {
  const stages = guards.toReversed().map((one) => ({ one, pass: textPasser(one) }));
  const [first] = guards;
  const stream: GuardedStream = {
    stages,
    held: { characters: 0 },
    lost: (what) => first && noteLoss(first, what),
  };
  return new StreamGuard(stream, first as ActiveMiddleware); // there is one: it is asked for
}

/** Of a stream that no middleware reads: its chunks as they are, with the warnings of the middleware that read the request. */
export function plainChunks(warnings: readonly string[]): ChunkGuard {
  let isWritten = warnings.length === 0;
  return {
    async read(chunk) {
      if (isWritten) return [chunk];
      isWritten = true;
      return [withWarnings(chunk, warnings)];
    },
    end: async () => [],
  };
}

class StreamGuard implements ChunkGuard {
  readonly #stream: GuardedStream;
  readonly #first: ActiveMiddleware;
  readonly #choices = new Map<number, GuardedChoice>();
  #base: ChatChunk | undefined;
  #index = 0;
  #writtenWarnings = 0;
  /** Warnings of chunks of which nothing left. */
  #warnings: readonly string[] = [];

  constructor(stream: GuardedStream, first: ActiveMiddleware) {
    this.#stream = stream;
    this.#first = first;
  }

  async read({ choices, usage, ...fields }: ChatChunk): Promise<ChatChunk[]> {
    const pass = passThrough(this.#stream.stages);
    const base = { ...(await passExtras(fields, pass)), choices: [] } as unknown as ChatChunk; // the same members
    this.#base = base;
    this.#warnings = base.extra_fields?.warnings ?? this.#warnings;
    const out: ChunkChoice[] = [];
    for (const choice of choices) out.push(...(await this.#readChoice(choice)));
    const chunks = out.map((choice) => ({ ...base, choices: [choice] }));
    if (usage) {
      const last = chunks.at(-1);
      if (last) last.usage = usage;
      else chunks.push({ ...base, usage });
    }
    return chunks.map((chunk, at) => this.#number(at === chunks.length - 1 ? chunk : withoutDebug(chunk)));
  }

  async end(): Promise<ChatChunk[]> {
    const { ...base } = this.#base;
    const out: ChunkChoice[] = [];
    for (const [index, choice] of this.#choices)
      for (const delta of await choice.end()) out.push({ index, finish_reason: null, delta });
    return out.map((choice) => this.#number({ ...base, choices: [choice] } as ChatChunk)); // there was one: it holds text
  }

  async #readChoice(choice: ChunkChoice): Promise<ChunkChoice[]> {
    const { index, finish_reason, stop_sequence, native_finish_reason } = choice;
    let guarded = this.#choices.get(index);
    if (!guarded) {
      guarded = guardChoice(this.#stream, index);
      this.#choices.set(index, guarded);
    }
    const out: ChunkChoice[] = [];
    for (const delta of await guarded.read(choice)) out.push({ index, finish_reason: null, delta });
    if (finish_reason === null) return out;
    const ending = {
      ...(stop_sequence === undefined ? {} : { stop_sequence }),
      ...(native_finish_reason === undefined ? {} : { native_finish_reason }),
    };
    return [...out, { index, finish_reason, delta: {}, ...ending }];
  }

  /** Gives a chunk that leaves its number, and the warnings that are not written yet. */
  #number(chunk: ChatChunk): ChatChunk {
    const { extra_fields: extra } = chunk;
    if (!extra) return chunk;
    const own = this.#first.warnings;
    const { warnings: _written, ...rest } = extra;
    const isNews = this.#warnings.length + own.length > this.#writtenWarnings;
    this.#writtenWarnings = this.#warnings.length + own.length;
    return {
      ...chunk,
      extra_fields: {
        ...rest,
        chunk_index: this.#index++,
        ...(isNews ? { warnings: [...this.#warnings, ...own] } : {}),
      },
    };
  }
}

/** What the cache did is said once, by the last chunk. */
function withoutDebug(chunk: ChatChunk): ChatChunk {
  const { cache_debug: _last, ...extra } = chunk.extra_fields ?? {};
  return { ...chunk, extra_fields: extra as ChatChunk["extra_fields"] };
}
