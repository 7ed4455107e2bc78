import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { local } from "../../../adapters/providers/local/index.ts";
import { createEngine } from "../../../src/index.ts";

const engine = createEngine({ providers: [local()] });
const rejections: unknown[] = [];
const note = (reason: unknown) => void rejections.push(reason);

beforeAll(() => void process.on("unhandledRejection", note));
afterAll(async () => {
  process.off("unhandledRejection", note);
  await engine.close();
  expect(rejections).toEqual([]);
});

const picture = "data:image/png;base64,aGVsbG8=";
const schema = { type: "object", properties: { city: { type: "string" } } };

/** A rich, valid request of each endpoint. */
const requests: Readonly<Record<string, Record<string, unknown>>> = {
  "/openai/v1/chat/completions": {
    model: "local/echo",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "image_url", image_url: { url: picture } },
        ],
      },
    ],
    tools: [{ type: "function", function: { name: "f", parameters: schema } }],
    response_format: { type: "json_object" },
    logprobs: true,
  },
  "/v1/responses": {
    model: "local/echo",
    instructions: "be kind",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: picture },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "t" }], encrypted_content: "aGk=" },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "r" }] },
    ],
    tools: [{ type: "function", name: "f", parameters: schema, strict: true }, { type: "web_search" }],
    tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
    text: { format: { type: "json_schema", name: "n", schema }, verbosity: "low" },
    reasoning: { effort: "low", summary: "auto" },
    include: ["reasoning.encrypted_content"],
  },
  "/anthropic/v1/messages": {
    model: "local/echo",
    max_tokens: 50,
    system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
    messages: [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "url", url: "https://x.test/a.png" } },
          { type: "text", text: "a" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "redacted_thinking", data: "d" },
          { type: "tool_use", id: "c", name: "f", input: { a: 1 } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "r" }], is_error: true }],
      },
    ],
    tools: [
      { name: "f", input_schema: schema },
      { type: "web_search_20250305", name: "web_search" },
    ],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    thinking: { type: "enabled", budget_tokens: 1_024 },
    output_config: { effort: "high", format: { type: "json_schema", schema } },
    metadata: { user_id: "u" },
  },
  "/genai/v1beta/models/local/echo:generateContent": {
    systemInstruction: { parts: [{ text: "s" }] },
    contents: [
      { role: "user", parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "aGk=" } }] },
      {
        role: "model",
        parts: [
          { text: "t", thought: true, thoughtSignature: "c2ln" },
          { functionCall: { name: "f", args: { a: 1 } } },
        ],
      },
      { role: "user", parts: [{ functionResponse: { name: "f", response: { output: "r" } } }] },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: "f", parameters: { type: "OBJECT", properties: { city: { type: "STRING", nullable: true } } } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
    generationConfig: {
      temperature: 1,
      stopSequences: ["x"],
      responseSchema: { type: "OBJECT" },
      thinkingConfig: { thinkingBudget: 10 },
    },
  },
  "/genai/v1beta/models/local/echo:embedContent": { content: { parts: [{ text: "a" }] }, outputDimensionality: 3 },
  "/genai/v1beta/models/local/echo:batchEmbedContents": {
    requests: [{ model: "models/local/echo", content: { parts: [{ text: "a" }] } }],
  },
  "/cohere/v2/chat": {
    model: "local/echo",
    messages: [
      { role: "system", content: "s" },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: picture } },
          { type: "text", text: "a" },
        ],
      },
      {
        role: "assistant",
        tool_plan: "p",
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: [{ type: "document", document: { data: { a: 1 } } }] },
    ],
    tools: [{ type: "function", function: { name: "f", parameters: schema } }],
    response_format: { type: "json_object", json_schema: schema },
    thinking: { type: "enabled", token_budget: 100 },
    k: 5,
    p: 0.5,
  },
  "/cohere/v2/rerank": { model: "local/echo", query: "q", documents: ["a", { text: "b" }], top_n: 1 },
  "/cohere/v2/embed": { model: "local/echo", texts: ["a"], input_type: "search_query", embedding_types: ["float"] },
};
const paths = Object.keys(requests);

async function ask(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await engine.fetch(`http://engine${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body) ?? "null",
  });
  return { status: response.status, text: await response.text() };
}

/** The error's own text, wherever the dialect has it. */
function messageOf(text: string): unknown {
  const body = JSON.parse(text) as { message?: unknown; error?: { message?: unknown } };
  return body.error?.message ?? body.message;
}

function expectSane({ status, text }: { status: number; text: string }): void {
  expect(status, text).toBeLessThan(500);
  if (status >= 400) expect(messageOf(text)).toEqual(expect.stringMatching(/./));
}

/** Every place in a value, as the keys that lead to it. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaceAt(copy[key], rest, by);
  if (copy[key] === undefined && !Array.isArray(copy)) delete copy[key];
  return copy;
}

test.each(paths)("%s: the rich request is understood", async (path) => {
  const { status, text } = await ask(path, requests[path]);
  expect([200, 400, 404]).toContain(status);
  if (status !== 200) expect(text).toMatch(/unsupported_operation|does not offer|has no model/);
});

test("any JSON: never a 500, always the error of the dialect", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 4 }), async (path, body) =>
      expectSane(await ask(path, body)),
    ),
    { numRuns: 500 },
  );
});

const anyReplacement = fc.oneof(
  fc.constantFrom(null, undefined, "", 0, -1, 1e9, true, [], {}, "local/echo", [[]], { type: "text" }, [null]),
  fc.jsonValue({ maxDepth: 2 }),
);

test.each(paths)("%s: a valid request with anything anywhere: never a 500, whole and streamed", async (path) => {
  const places = placesIn(requests[path]);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), anyReplacement, fc.boolean(), async (place, by, stream) => {
      const body = replaceAt(requests[path], place, by);
      const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
      expectSane(await ask(path, stream && isObject ? { ...body, stream } : body));
      if (path.endsWith(":generateContent")) expectSane(await ask(path.replace(":gen", ":streamGen"), body));
    }),
    { numRuns: 400 },
  );
});
