import { describe, expect, it } from "vitest";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ModelFacts } from "../../../src/engine/ports/prices.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { engineOver, messages, settled, textOf } from "../support/support.ts";

type Delta = ChatChunk["choices"][number]["delta"];
const chunkOf = ({ id, model }: ProviderCall, delta: Delta, finish_reason: string | null = null): ChatChunk => {
  return { id, object: "chat.completion.chunk", created: 1, model, choices: [{ index: 0, finish_reason, delta }] };
};

/** A provider whose stream is told by the test: a text is a chunk, `ping` a sign of life without one, `role` an empty chunk. */
function told(name = "a") {
  const wakes: (() => void)[] = [];
  const calls: ProviderCall[] = [];
  const queue: string[] = [];
  const provider: Provider = {
    name,
    async *streamChat(_request, call): AsyncGenerator<ChatChunk> {
      calls.push(call);
      for (;;) {
        const word = queue.shift();
        if (word === undefined) await new Promise<void>((resolve) => wakes.push(resolve));
        else if (word === "ping") call.alive?.();
        else if (word === "role") yield chunkOf(call, { role: "assistant", content: "" });
        else if (word === "end") return yield chunkOf(call, {}, "stop");
        else yield chunkOf(call, { content: word });
      }
    },
  };
  return {
    provider,
    calls,
    async say(word: string) {
      queue.push(word);
      for (const wake of wakes.splice(0)) wake();
      for (let n = 0; n < 5; n++) await settled();
    },
  };
}

const timeouts = { firstContent: 1_000, firstContentMax: 5_000, gap: 500, whole: 60_000 };
const ask = { model: "a/m", messages };
const codeOf = (error: GatewayError) => error.code;

describe("signs of life of a provider", () => {
  it.each(["ping", "role"])("extend the wait for the first content: %s", async (sign) => {
    const { provider, say } = told();
    const { engine, clock } = engineOver([provider], { timeouts });
    const asked = engine.streamChat(ask).then(textOf, codeOf);
    await settled();
    for (let n = 0; n < 4; n++) {
      await clock.advance(900);
      await say(sign);
    }
    await say("late");
    await say("end");
    expect(await asked).toBe("late");
  });

  it("extend it up to the bound of the first content in all, and no further", async () => {
    const { provider, say } = told();
    const { engine, clock } = engineOver([provider], { timeouts });
    let code: unknown;
    const asked = engine.streamChat(ask).catch((error: GatewayError) => {
      code = error.code;
    });
    await settled();
    for (let ms = 0; ms < 4_950; ms += 450) {
      expect(code).toBeUndefined();
      await clock.advance(450);
      await say("ping");
    }
    await clock.advance(49);
    expect(code).toBeUndefined();
    await clock.advance(1);
    await asked;
    expect(code).toBe("upstream_timeout");
  });

  it("extend it from the last one only", async () => {
    const { provider, say } = told();
    const { engine, clock } = engineOver([provider], { timeouts });
    let code: unknown;
    const asked = engine.streamChat(ask).catch((error: GatewayError) => {
      code = error.code;
    });
    await settled();
    await clock.advance(900);
    await say("ping");
    await clock.advance(999);
    expect(code).toBeUndefined();
    await clock.advance(1);
    await asked;
    expect(code).toBe("upstream_timeout");
  });

  it("keep a stream alive between two chunks, which breaks once they end", async () => {
    const { provider, say } = told();
    const { engine, clock } = engineOver([provider], { timeouts, recovery: "error" });
    const asked = engine.streamChat(ask);
    await settled();
    await say("one");
    const words: unknown[] = [];
    const read = (async () => {
      for await (const { choices } of await asked) words.push(choices[0]?.delta.content);
    })().catch((error: GatewayError) => words.push(error.code));
    await settled();
    for (let n = 0; n < 20; n++) {
      await clock.advance(400);
      await say("ping");
    }
    await say("two");
    await clock.advance(500);
    await read;
    expect(words).toEqual(["one", "two", "upstream_timeout"]);
  });
});

describe("the limit of the first content", () => {
  const facts = (supported_parameters: readonly string[] | undefined): ModelFacts => {
    return { provider: "a", model: "m", supported_parameters };
  };
  const limitOf = async (known: ModelFacts | undefined, more: object = {}, options: object = {}) => {
    const { provider, calls } = told();
    const { provider: second } = told("b");
    const prices = { version: "1", find: () => known, list: () => [] };
    const { engine } = engineOver([provider, second], { prices, ...options });
    void engine.streamChat({ ...ask, fallbacks: ["b/m"], ...more }).catch(() => {});
    await settled();
    return calls[0]?.timeouts.firstContent;
  };

  it("is 15 s for a model that is known not to reason, while another candidate is ready", async () => {
    expect(await limitOf(facts(["tools"]))).toBe(15_000);
    expect(await limitOf(facts(["tools", "reasoning"]), { reasoning: { effort: "none" } })).toBe(15_000);
  });
  it("is the longer bound for a model that reasons, while another candidate is ready", async () => {
    expect(await limitOf(facts(["reasoning"]))).toBe(300_000);
  });
  it("is the usual one without another candidate, and for a model of which nothing is known", async () => {
    expect(await limitOf(facts(["tools"]), { fallbacks: [] })).toBe(60_000);
    expect(await limitOf(facts(undefined))).toBe(60_000);
    expect(await limitOf(undefined)).toBe(60_000);
  });
  it("is what the operator says, if he says so", async () => {
    expect(await limitOf(facts(["tools"]), {}, { timeouts: { firstContent: 40_000 } })).toBe(40_000);
    expect(await limitOf(facts(["reasoning"]), {}, { timeouts: { firstContent: 40_000 } })).toBe(40_000);
  });
});

describe("a Retry-After", () => {
  const busy = (retryAfterMs: number) =>
    new GatewayError("upstream_error", "busy", { retryAfterMs, upstream: { status: 503, message: "busy" } });
  const answeredBy = async (retryAfterMs: number, more: object, patienceMs?: number) => {
    let tries = 0;
    const first: Provider = {
      name: "a",
      async *streamChat(_request, call) {
        if (++tries === 1) throw busy(retryAfterMs);
        yield chunkOf(call, { content: "first" }, "stop");
      },
    };
    const second: Provider = {
      name: "b",
      async *streamChat(_request, call) {
        yield chunkOf(call, { content: "second" }, "stop");
      },
    };
    const { engine, clock } = engineOver([first, second], patienceMs === undefined ? {} : { retry: { patienceMs } });
    const asked = engine.streamChat({ ...ask, ...more }).then(textOf);
    for (let n = 0; n < 10; n++) {
      await settled();
      await clock.advance(1_000);
    }
    return asked;
  };

  it("longer than 2 s is not waited out while another candidate is ready", async () => {
    expect(await answeredBy(2_001, { fallbacks: ["b/m"] })).toBe("second");
    expect(await answeredBy(2_000, { fallbacks: ["b/m"] })).toBe("first");
  });
  it("is waited out where no candidate is left", async () => {
    expect(await answeredBy(5_000, {})).toBe("first");
  });
  it("is waited out as long as the operator says", async () => {
    expect(await answeredBy(5_000, { fallbacks: ["b/m"] }, 5_000)).toBe("first");
    expect(await answeredBy(100, { fallbacks: ["b/m"] }, 0)).toBe("second");
  });
});
