import type { ChatChunk } from "../../src/engine/api/chat.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../src/index.ts";
import { type FaultTestCaller, hedgingOptions, quickOptions } from "../../src/testing/index.ts";

/** A caller that behaves badly, in which scenario it must be found out, and in what words. */
export interface Culprit {
  readonly does: string;
  readonly scenario: string;
  readonly options?: Partial<EngineOptions>;
  /** What it says that it is set to; {@link quickOptions} unless given. */
  readonly claims?: Partial<EngineOptions>;
  readonly change?: (caller: FaultTestCaller) => FaultTestCaller;
  readonly provider?: (provider: Provider) => Provider;
  readonly problem: RegExp;
}

/** The chunks of a stream, and whatever `after` does with its failure. */
async function* swallow(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  try {
    yield* chunks;
  } catch {
    // the failure is hidden: the stream looks as if it were over
  }
}

async function* recount(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<ChatChunk> {
  for await (const chunk of chunks)
    yield { ...chunk, extra_fields: { ...chunk.extra_fields, chunk_index: 0 } } as ChatChunk;
}

async function* changed(
  chunks: AsyncIterable<ChatChunk>,
  change: (delta: ChatChunk["choices"][number]["delta"]) => ChatChunk["choices"][number]["delta"],
): AsyncGenerator<ChatChunk> {
  for await (const chunk of chunks) {
    const choices = chunk.choices.map((choice) => ({ ...choice, delta: change(choice.delta) }));
    yield { ...chunk, choices };
  }
}

const withoutThoughts = (chunks: AsyncIterable<ChatChunk>) =>
  changed(chunks, ({ reasoning: _lost, reasoning_details: _too, ...delta }) => delta);

const withOneIndex = (chunks: AsyncIterable<ChatChunk>) =>
  changed(chunks, (delta) => {
    const calls = delta.tool_calls?.map((call) => ({ ...call, index: 0 }));
    return calls === undefined ? delta : { ...delta, tool_calls: calls };
  });

export const culprits: readonly Culprit[] = [
  {
    does: "asks too seldom",
    scenario: "a lasting 503 moves on after all tries",
    options: { retry: { ...quickOptions.retry, retries: 1 } },
    problem: /the primary model was called 2 times/,
  },
  {
    does: "asks too often",
    scenario: "a lasting 503 without a fallback: the provider's own error after all tries",
    options: { retry: { ...quickOptions.retry, retries: 3 } },
    problem: /the primary model was called 4 times/,
  },
  {
    does: "takes no time between tries",
    scenario: "a lasting 503 moves on after all tries",
    options: { retry: { retries: 2, baseMs: 1, maxMs: 1 } },
    problem: /before try \d it paused \d ms/,
  },
  {
    does: "does not wait as long as it is told to",
    scenario: "Retry-After in seconds is waited for",
    provider: (provider) => ({
      ...provider,
      chat: (request, call) => provider.chat!(request, call).catch((error) => Promise.reject(forgetful(error))),
    }),
    problem: /before try 2 it paused \d+ ms/,
  },
  {
    does: "loses patience too early",
    scenario: "a silent route without a fallback: a timeout after one call",
    options: { timeouts: { ...quickOptions.timeouts, firstContent: 100 } },
    problem: /waited \d+ ms for the primary model/,
  },
  {
    does: "has too much patience",
    scenario: "a silent route without a fallback: a timeout after one call",
    options: { timeouts: { ...quickOptions.timeouts, firstContent: 1_500 } },
    problem: /waited 1[45]\d\d ms for the primary model/,
  },
  {
    does: "does not hang up on a route that it gave up",
    scenario: "a silent route without a fallback: a timeout after one call",
    provider: (provider) => ({
      ...provider,
      streamChat: (request, call) =>
        provider.streamChat!(request, { ...call, signal: new AbortController().signal, timeouts: patient }),
    }),
    problem: /call 1 of silent.* was left open/,
  },
  {
    does: "makes a broken stream look complete",
    scenario: "a stream closed in the middle is reported as broken, never as complete, and not asked again",
    change: (caller) => ({
      chat: caller.chat,
      streamChat: async (...asked) => swallow(await caller.streamChat(...asked)),
    }),
    problem: /looked like a complete answer/,
  },
  {
    does: "does not resume",
    scenario: "cut-mid-stream: a fallback that begins the same is joined without a seam",
    options: { recovery: "error" },
    problem: /the fallback was called 0 times; failed with upstream_stream_broken/,
  },
  {
    does: "keeps no circuit",
    scenario: "a target that keeps failing is left alone",
    options: { circuit: { consecutive: 1_000, minimumSample: 20, share: 1 } },
    problem: /the primary model was called 60 times/,
  },
  {
    does: "lets its circuit stay open for too long",
    scenario: "a target that is back after twelve cool-downs is used again within one, after at most ten tries",
    options: { circuit: { openMs: 1_000, maxOpenMs: 20_000 } },
    problem: /in round 2 the primary model was called 0 times/,
  },
  {
    does: "waits for content as long as there are signs of life",
    scenario:
      "alive but silent: signs of life without content are waited for within the bound, then the next candidate is asked",
    options: { timeouts: { ...quickOptions.timeouts, firstContentMax: 3_500 } },
    problem: /waited 3\d\d\d ms for the primary model/,
  },
  {
    does: "loses thoughts",
    scenario: "thoughts between the parts of an answer stay thoughts, in their order",
    provider: (provider) => ({
      ...provider,
      streamChat: (request, call) => withoutThoughts(provider.streamChat!(request, call)),
    }),
    problem: /the reasoning is ""/,
  },
  {
    does: "joins calls of one index",
    scenario: "parallel tool calls that all have index 0 stay apart",
    provider: (provider) => ({
      ...provider,
      streamChat: (request, call) => withOneIndex(provider.streamChat!(request, call)),
    }),
    problem: /the calls are "find_trainfind_hotel/,
  },
  {
    does: "counts its chunks wrongly",
    scenario: "a slow first token within the limit is waited for; no other provider is asked",
    change: (caller) => ({
      chat: caller.chat,
      streamChat: async (...asked) => recount(await caller.streamChat(...asked)),
    }),
    problem: /chunk 1 says 0/,
  },
  {
    does: "asks others at the same time",
    scenario: "a slow first token within the limit is waited for; no other provider is asked",
    options: { hedge: { after_ms: 50 } },
    problem: /the fallback was called 1 times/,
  },
  {
    does: "never asks two at once, though it says so",
    scenario: "hedged: a silent target is given up for the next one, which is asked before any timeout passes",
    claims: hedgingOptions,
    problem: /asked the fallback when the primary model's call was over/,
  },
  {
    does: "asks two at once too early",
    scenario: "hedged: a slow target that answers first after all is the one that is heard",
    options: { ...hedgingOptions, hedge: { after_ms: 20 } },
    claims: hedgingOptions,
    problem: /asked the fallback \d\d? ms after the primary model/,
  },
  {
    does: "lets the loser go on",
    scenario: "hedged: a slow target that answers first after all is the one that is heard",
    options: hedgingOptions,
    claims: hedgingOptions,
    provider: (provider) => ({
      ...provider,
      chat: (request, call) =>
        provider.chat!(request, { ...call, signal: new AbortController().signal, timeouts: patient }),
    }),
    problem: /left open; .*nobody ended the call of silent/,
  },
  {
    does: "names somebody else as the server",
    scenario: "404 is not asked again, the next candidate is",
    change: (caller) => ({
      streamChat: caller.streamChat,
      chat: async (...asked) => ({
        ...(await caller.chat(...asked)),
        extra_fields: { model_deployment: "me" } as never,
      }),
    }),
    problem: /served by me, it says/,
  },
];

/** Longer than the fault server waits for a call to end. */
const patient = { connect: 3_000, firstContent: 3_000, gap: 3_000, whole: 3_000 };

/** The same error without the time to come back. */
function forgetful(error: Error): Error {
  return Object.defineProperty(error, "retryAfterMs", { value: undefined });
}
