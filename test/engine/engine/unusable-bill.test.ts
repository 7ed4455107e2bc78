import { describe, expect, it } from "vitest";
import { cohere } from "../../../adapters/providers/cohere/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import { systemone } from "../../../adapters/providers/systemone.ts";
import { keptBooks } from "../support/books.ts";
import { messages } from "../support/support.ts";

type Books = Awaited<ReturnType<typeof keptBooks>>;
/** A vendor that answers everything alike. */
const saying = (body: string, status = 200) => ({
  apiKey: "x",
  fetch: async () => new Response(body, { status, headers: { "content-type": "application/json" } }),
});

/** A request by each verb, and the tokens of its prompt where every character is one. */
const asks = {
  chat: {
    provider: (wire: ReturnType<typeof saying>) => openai(wire),
    ask: ({ engine, options }: Books) => engine.chat({ model: "openai/m", messages }, options),
    prompt: 10,
  },
  embed: {
    provider: (wire: ReturnType<typeof saying>) => openai(wire),
    ask: ({ engine, options }: Books) => engine.embed({ model: "openai/m", input: ["four", "x"] }, options),
    prompt: 5,
  },
  rerank: {
    provider: (wire: ReturnType<typeof saying>) => cohere(wire),
    ask: ({ engine, options }: Books) =>
      engine.rerank({ model: "cohere/m", query: "q", documents: [{ text: "four" }, { text: "x" }] }, options),
    prompt: 1 + 4 + 1 + 1,
  },
  decide: {
    provider: (wire: ReturnType<typeof saying>) => systemone({ ...wire, baseUrl: "http://localhost" }),
    ask: ({ engine, options }: Books) =>
      engine.decide({ model: "systemone/m", state: "s", questions: { q: { kind: "noul" } } }, options),
    prompt: JSON.stringify({ state: "s", questions: { q: { kind: "noul" } } }).length,
  },
};

const verbs = Object.keys(asks) as (keyof typeof asks)[];
const nonsense = { "no JSON": "<html>", "another JSON": '{"colour":"blue"}', null: "null" };

/** The second is nothing that the decision API is known to say. */
const refusals = [
  { what: "an error", body: '{"error":{"message":"no"}}', status: 400 },
  { what: "an error that calls itself a success", body: '{"error":{"message":"no","code":400}}', status: 200 },
  { what: "a way to go elsewhere", body: "<html>", status: 302 },
];

describe.each(verbs)("%s: an answer of success that cannot be used", (verb) => {
  const { provider, ask, prompt } = asks[verb];
  const tokens = { countText: (text: string) => text.length, countChat: () => prompt };

  it.each(Object.entries(nonsense))("is billed an estimate of what was read: %s", async (_what, body) => {
    const books = await keptBooks([provider(saying(body))], { tokens });
    await expect(ask(books)).rejects.toMatchObject({ code: "upstream_invalid_response" });
    expect(await books.attempts()).toMatchObject([{ prompt_tokens: prompt, is_estimated: true }]);
    expect((await books.attempts())[0]?.cost).toBeGreaterThan(0);
  });

  it.each(refusals.filter(({ status }) => status !== 200 || verb !== "decide"))(
    "is none, and costs nothing, where it is $what",
    async ({ body, status }) => {
      const books = await keptBooks([provider(saying(body, status))], { tokens, retry: { retries: 0 } });
      await expect(ask(books)).rejects.toBeDefined();
      expect(await books.attempts()).toMatchObject([{ prompt_tokens: 0, cost: 0, is_estimated: false }]);
    },
  );
});
