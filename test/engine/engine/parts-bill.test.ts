import { describe, expect, it } from "vitest";
import { embedAll } from "../../../adapters/shared/embeddings/embed.ts";
import { rerankWith } from "../../../adapters/shared/openai-compatible/rerank/rerank.ts";
import type { EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { keptBooks, promptOf, settled, untilEnded } from "../support/books.ts";

const busy = () => new GatewayError("upstream_error", "busy", { upstream: { status: 503, message: "busy" } });
const unreadable = () => new GatewayError("upstream_invalid_response", "is none");

/** What becomes of the part of a text: what it used, or why it failed, which is known after those that answer. */
type Part = (text: string, call: ProviderCall) => Usage | undefined | Error | Promise<never>;

async function outcomeOf(part: Part, text: string, call: ProviderCall): Promise<Usage | undefined> {
  const outcome = await part(text, call);
  if (!(outcome instanceof Error)) return outcome;
  await settled();
  throw outcome;
}

/** A provider that embeds one text a request, and ranks one document a request. */
function inParts(name: string, part: Part): Provider {
  return {
    name,
    embed: (request, call) =>
      embedAll(request, call, {
        provider: name,
        limits: { inputs: 1 },
        async ask({ input }, own): Promise<EmbeddingResponse> {
          const usage = await outcomeOf(part, String(input), own);
          const data = String(input) === "none" ? [] : [{ object: "embedding", index: 0, embedding: [1] }];
          return { object: "list", model: "m", data, ...(usage ? { usage } : {}) };
        },
      }),
    rerank(request, call) {
      const http = {
        post: async (_path: string, { documents: [text] }: { documents: string[] }, own: ProviderCall) => {
          const usage = await outcomeOf(part, String(text), own);
          return { results: [{ index: 0, relevance_score: 0.5 }], ...(usage ? { usage } : {}) };
        },
      };
      return rerankWith(
        { provider: name, http: http as never, dialect: { path: "/", mostDocuments: 1 } },
        request,
        call,
      );
    },
  };
}

const texts = ["one", "two", "bad"];
const ask = { model: "a/m", input: texts };
/** Each text used a hundred tokens, but for the bad one. */
const failing =
  (error: () => Error): Part =>
  (text) =>
    text === "bad" ? error() : promptOf(100);
const failingOnce = (): Part => {
  let turn = 0;
  return (text) => (text === "bad" && turn++ === 0 ? busy() : promptOf(100));
};

describe("a request in parts of which one fails", () => {
  it.each(["embed", "rerank"] as const)("%s: is billed for those that answered", async (verb) => {
    const { engine, options, attempts } = await keptBooks([inParts("a", failing(unreadable))]);
    const documents = texts.map((text) => ({ text }));
    const asked =
      verb === "embed" ? engine.embed(ask, options) : engine.rerank({ model: "a/m", query: "q", documents }, options);
    await expect(asked).rejects.toMatchObject({ code: "upstream_invalid_response" });
    expect(await attempts()).toMatchObject([
      { reason: "upstream_invalid_response", prompt_tokens: 200, cost_nano: 200_000, is_estimated: false },
    ]);
  });

  it("is billed beside the candidate that answers instead", async () => {
    const providers = [inParts("a", failing(unreadable)), inParts("b", () => promptOf(10))];
    const { engine, options, attempts } = await keptBooks(providers);
    const { usage } = await engine.embed({ ...ask, fallbacks: ["b/m"] }, options);
    expect(usage).toMatchObject({ prompt_tokens: 30, cost: { total_cost: 0.00003 } });
    expect(await attempts()).toMatchObject([
      { provider: "a", prompt_tokens: 200, cost_nano: 200_000 },
      { provider: "b", prompt_tokens: 30, cost_nano: 30_000 },
    ]);
  });

  it("is billed try by try, where it is asked again", async () => {
    const { engine, clock, options, attempts } = await keptBooks([inParts("a", failingOnce())]);
    const call = engine.embed(ask, options);
    await settled();
    await settled();
    await clock.advance(1_000);
    const { usage } = await call;
    expect(usage).toMatchObject({ prompt_tokens: 300, cost: { total_cost: 0.0003 } });
    expect(await attempts()).toMatchObject([
      { reason: "upstream_error", prompt_tokens: 200, cost_nano: 200_000 },
      { reason: "ok", prompt_tokens: 300, cost_nano: 300_000 },
    ]);
  });

  it("is not asked again where the budget has no room for another try", async () => {
    const prompt = "x".repeat(100);
    const input = [prompt, prompt, "bad"];
    const whole: Part = (text) => (text === "bad" ? busy() : promptOf(100));
    const { engine, clock, options, attempts } = await keptBooks([inParts("a", whole)], { dollars: 0.0004 });
    const refused: string[] = [];
    engine.on("refused", ({ reason }) => void refused.push(reason));
    const call = expect(engine.embed({ model: "a/m", input }, options)).rejects.toMatchObject({
      code: "upstream_error",
    });
    await settled();
    await settled();
    await clock.advance(1_000);
    await call;
    expect(refused).toEqual(["budget_exceeded"]);
    expect(await attempts()).toMatchObject([{ reason: "upstream_error", prompt_tokens: 200 }]);
  });

  it("counts what a part used that did not tell", async () => {
    const silent: Part = (text) => (text === "bad" ? unreadable() : text === "one" ? promptOf(4) : undefined);
    const { engine, options, attempts } = await keptBooks([inParts("a", silent)]);
    await engine.embed(ask, options).catch(() => {});
    expect(await attempts()).toMatchObject([{ prompt_tokens: 5, is_estimated: true }]);
  });

  it("is never billed more than was reserved, however its silent parts are counted", async () => {
    const silent: Part = (text) => (text === "bad" ? unreadable() : undefined);
    const tokens = { countText: () => 1_000_000, countChat: () => 1_000_000 };
    const { engine, options, attempts } = await keptBooks([inParts("a", silent)], { tokens, dollars: 0.00005 });
    await engine.embed(ask, options).catch(() => {});
    expect(await attempts()).toMatchObject([{ prompt_tokens: 3 * (8 + 3), is_estimated: true }]);
  });

  it("is billed for what answered before the caller hung up", async () => {
    const hanging: Part = (text, { signal }) => (text === "bad" ? untilEnded(signal) : promptOf(100));
    const { engine, options, attempts } = await keptBooks([inParts("a", hanging)]);
    const controller = new AbortController();
    const call = engine.embed(ask, { ...options, signal: controller.signal });
    await settled();
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "request_cancelled" });
    expect(await attempts()).toMatchObject([{ reason: "request_cancelled", prompt_tokens: 200, is_estimated: false }]);
  });

  it("is billed although a wrapper spread the call", async () => {
    const inner = inParts("a", failing(unreadable)) as Required<Provider>;
    const wrapper: Provider = { name: "a", embed: (request, call) => inner.embed(request, { ...call }) };
    const { engine, options, attempts } = await keptBooks([wrapper]);
    await engine.embed(ask, options).catch(() => {});
    expect(await attempts()).toMatchObject([{ prompt_tokens: 200 }]);
  });
});

describe("an answer that lacks a vector", () => {
  it("is billed all the same: it was given", async () => {
    const { engine, options, attempts } = await keptBooks([inParts("a", () => promptOf(100))]);
    await expect(engine.embed({ model: "a/m", input: ["none"] }, options)).rejects.toMatchObject({
      code: "upstream_invalid_response",
    });
    expect(await attempts()).toMatchObject([{ prompt_tokens: 100, cost_nano: 100_000 }]);
  });
});

describe("a request in parts that all answer", () => {
  it.each([
    { how: "told", part: () => promptOf(100), line: { is_estimated: false, prompt_tokens: 300 } },
    { how: "counted", part: () => undefined, line: { is_estimated: true, prompt_tokens: 3 } },
  ])("is billed once, as it is $how", async ({ part, line }) => {
    const { engine, options, attempts } = await keptBooks([inParts("a", part)]);
    await engine.embed(ask, options);
    expect(await attempts()).toMatchObject([{ reason: "ok", ...line }]);
  });
});
