import { describe, expect, it } from "vitest";
import { embedAll } from "../../../adapters/shared/embeddings/embed.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled, untilEnded } from "../support/books.ts";
import { belief, request } from "../support/case.ts";
import { askedQuestion, byToken, byTool, usageOf } from "../support/judges.ts";

const hedge = { after_ms: 200 };
const vector = { object: "embedding", index: 0, embedding: [1] };
const refund = { refund: { kind: "noul" as const } };

/** A provider that answers with ten tokens of prompt, and one that is at work until it is stopped. */
const quick: Provider = {
  name: "b",
  embed: async () => ({ object: "list", model: "m", data: [vector, vector], usage: promptOf(10) }),
  rerank: async () => ({
    model: "m",
    results: [0, 1].map((index) => ({ index, relevance_score: 0.5 })),
    usage: promptOf(10),
  }),
  decide: async (_request, { id, model }) => {
    return { id, model, answers: { refund: { kind: "noul", value: 0.9 } }, usage: promptOf(10) };
  },
};
const slow: Provider = {
  name: "a",
  embed: (_request, { signal }) => untilEnded(signal),
  rerank: (_request, { signal }) => untilEnded(signal),
  decide: (_request, { signal }) => untilEnded(signal),
};

type Books = Awaited<ReturnType<typeof keptBooks>>;
const fallbacks = ["b/m"];
const asks = {
  embed: ({ engine, options }: Books) =>
    engine.embed({ model: "a/m", fallbacks, input: ["four word text here", "x"] }, options),
  rerank: ({ engine, options }: Books) =>
    engine.rerank(
      { model: "a/m", fallbacks, query: "four", documents: [{ text: "12345678" }, { text: "x" }] },
      options,
    ),
  decide: ({ engine, options }: Books) =>
    engine.decide({ model: "a/m", fallbacks, state: { text: "1234" }, questions: refund }, options),
};
/** A quarter of the bytes: five and one; query and document by document, 1 + 2 and 1 + 1; the whole question. */
const sizes = { embed: 6, rerank: 5, decide: 16 };
/** Eight beside the bytes of each input. */
const bounds = { embed: 19 + 1 + 16, rerank: 12 + 8 + 5 + 8 };

/** Two asked at once, of whom the second wins. */
async function race(providers: readonly Provider[], ask: (books: Books) => Promise<unknown>, more: object = {}) {
  const books = await keptBooks(providers, { hedge, ...more });
  let isOver = false;
  const call = ask(books).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await settled(); // a module that is loaded now may need more turns than these
    await books.clock.advance(200);
  }
  await call;
  return books.attempts();
}

describe("a target that lost a race", () => {
  it.each(["embed", "rerank", "decide"] as const)("is billed an estimate of what it read: %s", async (verb) => {
    expect(await race([slow, quick], asks[verb])).toMatchObject([
      {
        provider: "a",
        reason: "request_cancelled",
        prompt_tokens: sizes[verb],
        cost_nano: sizes[verb] * 1_000,
        is_estimated: true,
      },
      { provider: "b", reason: "ok", prompt_tokens: 10, is_estimated: false },
    ]);
  });

  it.each(["embed", "rerank"] as const)(
    "is never billed more than was reserved, however it is counted: %s",
    async (verb) => {
      const tokens = { countText: () => 1_000_000, countChat: () => 1_000_000 };
      const [lost] = await race([slow, quick], asks[verb], { tokens });
      expect(lost?.prompt_tokens).toBe(bounds[verb]);
    },
  );

  it("is billed by a guess when its tokenizer fails, and leaves nothing reserved", async () => {
    const countText = () => {
      throw new Error("no tokenizer");
    };
    const [lost] = await race([slow, quick], asks.embed, { tokens: { countText, countChat: countText } });
    expect(lost).toMatchObject({ provider: "a", prompt_tokens: sizes.embed, is_estimated: true });
  });

  it("is billed what it answered in part as it told, and the rest by estimate", async () => {
    const parted: Provider = {
      name: "a",
      embed: (asked, call) =>
        embedAll(asked, call, {
          provider: "a",
          limits: { inputs: 1 },
          async ask({ input }, { signal }) {
            if (String(input) === "x") await untilEnded(signal);
            return { object: "list", model: "m", data: [vector], usage: promptOf(4) };
          },
        }),
    };
    const [lost] = await race([parted, quick], asks.embed);
    expect(lost).toMatchObject({ prompt_tokens: 5, is_estimated: true });
  });

  it("is billed nothing where it was at rest between two tries", async () => {
    const { GatewayError } = await import("../../../src/engine/errors.ts");
    const failing: Provider = {
      name: "a",
      embed: async () => {
        throw new GatewayError("upstream_unreachable", "gone", { retryAfterMs: 10_000 });
      },
    };
    const [lost] = await race([failing, quick], asks.embed);
    expect(lost).toMatchObject({ prompt_tokens: 0, cost_nano: 0, is_estimated: false });
  });
});

describe("a decision by chat that lost a race", () => {
  const ask = ({ engine, options }: Books) => engine.decide({ ...request, fallbacks: ["b/judge"] }, options);
  const stuckAt = (inner: Provider, isStuck: (question: string, hasTool: boolean) => boolean): Provider => ({
    name: "a",
    chat: (each, call) =>
      isStuck(askedQuestion(each), each.tools !== undefined)
        ? untilEnded(call.signal)
        : (inner as Required<Provider>).chat(each, call),
  });

  it("is billed the questions that were answered, and an estimate of those under way", async () => {
    const [lost, won] = await race(
      [stuckAt(byToken("a", belief), (name) => name === "anger"), byToken("b", belief)],
      ask,
    );
    expect(lost).toMatchObject({ is_estimated: true, completion_tokens: 2 });
    expect(lost?.prompt_tokens).toBeGreaterThan(250);
    expect(lost?.prompt_tokens).toBeLessThan(600);
    expect(won).toMatchObject({ is_estimated: false, prompt_tokens: 300 });
  });

  it("is billed those under way alone where none was answered", async () => {
    const [lost] = await race([stuckAt(byToken("a", belief), () => true), byToken("b", belief)], ask);
    expect(lost).toMatchObject({ is_estimated: true, completion_tokens: 0 });
    expect(lost?.prompt_tokens).toBeGreaterThan(150);
  });

  it("is not billed a form of the question that the model refused", async () => {
    const { GatewayError } = await import("../../../src/engine/errors.ts");
    const picky: Provider = {
      name: "a",
      async chat(each, { signal }) {
        if (each.tools) return untilEnded(signal);
        throw new GatewayError("upstream_error", "no logprobs", { upstream: { status: 400, message: "no logprobs" } });
      },
    };
    const one = ({ engine, options }: Books) =>
      engine.decide({ ...request, questions: refund, fallbacks: ["b/judge"] }, options);
    const [refused] = await race([picky, byToken("b", belief)], one);
    const [asked] = await race([stuckAt(byTool("a", belief), (_name, hasTool) => hasTool), byToken("b", belief)], one);
    expect((asked?.prompt_tokens ?? 0) - (refused?.prompt_tokens ?? 0)).toBe(usageOf(100, 1).prompt_tokens);
  });
});
