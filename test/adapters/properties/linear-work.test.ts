import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { local } from "../../../adapters/providers/local/index.ts";
import { createEngine } from "../../../src/index.ts";

/**
 * A request with twice as many of an element is twice the work, not four times. Counted are the blocks of `src` and `adapters` that V8
 * enters, which no neighbour of the machine changes. What native code does (`JSON.parse`, `indexOf`, `splice`) is not counted: the bounds on
 * bodies hold that.
 */
const session = new Session();
const engine = createEngine({ providers: [local()] });

beforeAll(async () => {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});
afterAll(async () => {
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  await engine.close();
});

/** How many blocks were entered since the last time it was asked. */
async function takeWork(): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  let work = 0;
  for (const { url, functions } of result) {
    if (!/\/(?:src|adapters)\//.test(url) || url.includes("node_modules")) continue;
    for (const { ranges } of functions) for (const { count } of ranges) work += count;
  }
  return work;
}

async function workOf(path: string, body: unknown): Promise<number> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  await takeWork();
  const response = await engine.fetch(`http://engine${path}`, init);
  await response.text();
  expect(response.status).toBeLessThan(500);
  return takeWork();
}

/** Each makes a body with so many of one element. */
type Grown = (count: number) => object;

const list = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));
const fields = (count: number, make: (at: number) => unknown): object =>
  Object.fromEntries(list(count, (at) => [`field_${at}`, make(at)]));
const user = { role: "user", content: "x" };
const model = "local/echo";
const parameters = { type: "object" };

const chat: Record<string, Grown> = {
  messages: (count) => ({ model, messages: list(count, () => user) }),
  "bad messages": (count) => ({ model, messages: list(count, () => ({ role: "nope", content: 5 })) }),
  parts: (count) => ({
    model,
    messages: [{ role: "user", content: list(count, () => ({ type: "text", text: "a" })) }],
  }),
  tools: (count) => ({
    model,
    messages: [user],
    tools: list(count, (at) => ({ type: "function", function: { name: `f${at}`, parameters } })),
  }),
  "tool calls and results": (count) => ({
    model,
    messages: [
      user,
      {
        role: "assistant",
        content: null,
        tool_calls: list(count, (at) => ({ id: `c${at}`, type: "function", function: { name: "f", arguments: "{}" } })),
      },
      ...list(count, (at) => ({ role: "tool", tool_call_id: `c${at}`, content: "r" })),
    ],
  }),
  metadata: (count) => ({ model, messages: [user], metadata: fields(count, () => "v") }),
  "unknown fields": (count) => ({ model, messages: [user], ...fields(count, () => 1) }),
  fallbacks: (count) => ({ model: "nobody/m", messages: [user], fallbacks: list(count / 8, (at) => `nobody/${at}`) }),
};

const anthropic: Record<string, Grown> = {
  messages: (count) => ({ model, max_tokens: 5, messages: list(count, () => user) }),
  parts: (count) => ({
    ...{ model, max_tokens: 5 },
    messages: [{ role: "user", content: list(count, () => ({ type: "text", text: "a" })) }],
  }),
  tools: (count) => ({
    ...{ model, max_tokens: 5, messages: [user] },
    tools: list(count, (at) => ({ name: `f${at}`, input_schema: parameters })),
  }),
  "tool calls and results": (count) => ({
    ...{ model, max_tokens: 5 },
    messages: [
      user,
      { role: "assistant", content: list(count, (at) => ({ type: "tool_use", id: `c${at}`, name: "f", input: {} })) },
      { role: "user", content: list(count, (at) => ({ type: "tool_result", tool_use_id: `c${at}`, content: "r" })) },
    ],
  }),
  "unknown fields": (count) => ({ model, max_tokens: 5, messages: [user], ...fields(count, () => 1) }),
};

const call = (name: string) => ({ functionCall: { name, args: {} } });
const result = (name: string) => ({ functionResponse: { name, response: {} } });
const genai: Record<string, Grown> = {
  contents: (count) => ({ contents: list(count, () => ({ role: "user", parts: [{ text: "x" }] })) }),
  parts: (count) => ({ contents: [{ role: "user", parts: list(count, () => ({ text: "x" })) }] }),
  "calls and results": (count) => ({
    contents: [
      { role: "user", parts: [{ text: "x" }] },
      { role: "model", parts: list(count, (at) => call(`f${at}`)) },
      { role: "user", parts: list(count, (at) => result(`f${count - 1 - at}`)) },
    ],
  }),
  "calls and results of one name": (count) => ({
    contents: [
      { role: "model", parts: list(count, () => call("f")) },
      { role: "user", parts: list(count, () => result("f")) },
    ],
  }),
  "unknown fields": (count) => ({ contents: [{ parts: [{ text: "x" }] }], ...fields(count, () => 1) }),
};

const responses: Record<string, Grown> = {
  items: (count) => ({
    model,
    input: list(count, (at) => [
      { type: "function_call", call_id: `c${at}`, name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: `c${at}`, output: "r" },
    ]).flat(),
  }),
  "unknown fields": (count) => ({ model, input: "x", ...fields(count, () => 1) }),
};

const cohere: Record<string, Grown> = {
  messages: (count) => ({ model, messages: list(count, () => user) }),
  "unknown fields": (count) => ({ model, messages: [user], ...fields(count, () => 1) }),
};

const decisions: Record<string, Grown> = {
  questions: (count) => ({ model, input: "x", questions: fields(count, () => ({ kind: "noul" })) }),
  criteria: (count) => ({
    ...{ model, input: "x" },
    questions: { q: { kind: "choice", criteria: fields(count, () => null) } },
  }),
};

const entries: Record<string, [string, Record<string, Grown>]> = {
  chat: ["/v1/chat/completions", chat],
  "the OpenAI family": ["/openai/v1/chat/completions", chat],
  "the Anthropic family": ["/anthropic/v1/messages", anthropic],
  "the Gemini family": ["/genai/v1beta/models/local%2Fecho:generateContent", genai],
  responses: ["/v1/responses", responses],
  "the Cohere family": ["/cohere/v2/chat", cohere],
  decisions: ["/v1/decisions", decisions],
  embeddings: ["/v1/embeddings", { inputs: (count) => ({ model, input: list(count, () => "x") }) }],
  reranking: [
    "/v1/rerank",
    { documents: (count) => ({ model, query: "a", documents: list(count, () => ({ text: "a" })) }) },
  ],
};

describe.each(Object.entries(entries))("%s", (_entry, [path, elements]) => {
  test.each(Object.entries(elements))("is linear in its %s", async (_element, grown) => {
    const least = 128;
    await workOf(path, grown(4 * least)); // what is made once is made
    const growths: number[] = [];
    // Three tries: V8 has been seen to lose nearly all counts of a try, so that what was left grew by chance.
    for (let tried = 0; tried < 3 && !growths.some((growth) => growth < 2.6); tried += 1) {
      const once = await workOf(path, grown(least));
      const twice = await workOf(path, grown(2 * least));
      const fourTimes = await workOf(path, grown(4 * least));
      expect(once).toBeGreaterThan(100);
      growths.push((fourTimes - twice) / Math.max(twice - once, least));
    }
    // Linear work grows by twice as much from 2n to 4n as from n to 2n, quadratic work by four times.
    expect(Math.min(...growths)).toBeLessThan(2.6);
  });
});
