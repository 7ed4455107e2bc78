import { describe, expect, it, onTestFinished } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Counters } from "../../../src/engine/ports/counters.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { keptBooks } from "../support/books.ts";
import { messages, textOf } from "../support/support.ts";

/** What a stream says in one try, and how it ends: well, or with an error. */
interface Try {
  readonly words: readonly string[];
  readonly fails?: GatewayError;
}

const lost = () => new GatewayError("upstream_unreachable", "The connection was lost.");
const broken = () => new GatewayError("upstream_stream_broken", "broke off");

async function* say({ words, fails }: Try, { id, model }: ProviderCall): AsyncGenerator<ChatChunk> {
  const chunk = { id, object: "chat.completion.chunk", created: 1, model };
  for (const content of words) yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content } }] };
  if (fails) throw fails;
  yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
}

/** A provider that streams as its tries say, the last one again and again; `more` goes on from a prefill. */
function streamer(name: string, tries: readonly Try[], more?: Try): Provider {
  let turn = 0;
  const streamChat: Provider["streamChat"] = (_request, call) =>
    say(tries[Math.min(turn++, tries.length - 1)] as Try, call);
  return { name, streamChat, ...(more ? { continueChat: (_request, call) => say(more, call) } : {}) };
}

/** Every character is a token, and every prompt ten. */
const tokens = { countText: (text: string) => text.length, countChat: () => 10 };
const request = { model: "a/m", fallbacks: ["b/m"], messages };
const breaker = streamer("a", [{ words: ["to ", "be "], fails: broken() }]);

async function splice(second: Provider, more: object = {}) {
  const { engine, clock, options, attempts } = await keptBooks([breaker, second], { tokens, ...more });
  const read = engine.streamChat(request, options).then(textOf);
  const told = read.catch(({ code }: GatewayError) => code);
  for (let turn = 0; turn < 8; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
  return { told: await told, lines: await attempts() };
}

const first = { provider: "a", reason: "upstream_stream_broken", prompt_tokens: 10, completion_tokens: 6 };
const tryOf = (completion_tokens: number, reason = "upstream_unreachable") => {
  const cost_nano = (10 + 2 * completion_tokens) * 1_000;
  return { provider: "b", reason, prompt_tokens: 10, completion_tokens, cost_nano, is_estimated: true };
};

describe("a target that is asked again to go on with a stream", () => {
  it("is billed every try that said something, the sum of them", async () => {
    const tries = [{ words: ["to "], fails: lost() }, { words: ["to b"], fails: lost() }, { words: ["to be ", "or"] }];
    const { told, lines } = await splice(streamer("b", tries));
    expect(told).toBe("to be or");
    expect(lines).toMatchObject([first, tryOf(3), tryOf(4), tryOf(8, "ok")]);
  });

  it("is billed each of them when all fail", async () => {
    const tries = [{ words: ["to "], fails: lost() }];
    const { told, lines } = await splice(streamer("b", tries));
    expect(told).toBe("upstream_stream_broken");
    expect(lines).toMatchObject([first, tryOf(3), tryOf(3), tryOf(3)]);
  });

  it("has no line for a try that said nothing", async () => {
    const tries = [{ words: [], fails: lost() }, { words: ["to "], fails: lost() }, { words: ["to be ", "or"] }];
    const { lines } = await splice(streamer("b", tries));
    expect(lines).toMatchObject([first, tryOf(3), tryOf(8, "ok")]);
  });

  it("is billed those and what it is asked to continue", async () => {
    const tries = [{ words: ["to "], fails: lost() }, { words: ["else"] }];
    const { told, lines } = await splice(streamer("b", tries, { words: ["or"] }));
    expect(told).toBe("to be or");
    expect(lines).toMatchObject([
      first,
      tryOf(3),
      tryOf(4, "unsupported_operation"),
      { reason: "ok", is_estimated: true },
    ]);
  });

  it("is not asked again where the budget has no room", async () => {
    const tries = [{ words: ["to "], fails: lost() }];
    const dollars = 0.0083; // an answer of 4,096 tokens, its prompt, and what the first one said
    const { lines } = await splice(streamer("b", tries), { dollars });
    expect(lines).toMatchObject([first, tryOf(3)]);
  });
});

it("counters that fail to settle what broke off end no process while another candidate goes on", async () => {
  const unhandled: unknown[] = [];
  const hear = (thrown: unknown) => void unhandled.push(thrown);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  const { reduce: _narrow, ...inner } = memoryCounters();
  const settle: Counters["settle"] = () => Promise.reject(new Error("the counters are gone"));
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const second: Provider = {
    name: "b",
    async *streamChat(_request, call) {
      await gate;
      yield* say({ words: ["x"] }, call);
    },
  };
  const { engine, options } = await keptBooks([breaker, second], { tokens, counters: { ...inner, settle } });
  const read = engine.streamChat(request, options).then(textOf);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
  open();
  await read.catch(() => {});
});
