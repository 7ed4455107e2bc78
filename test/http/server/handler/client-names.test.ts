import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatChunk, ChatRequest, ChatResponse } from "../../../../src/engine/api/chat.ts";
import { createEngine } from "../../../../src/index.ts";

/** What a vendor says in words of its own. */
const answer: ChatResponse = {
  id: "a",
  object: "chat.completion",
  created: 1,
  model: "m",
  service_tier: "on_demand",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: {
        role: "assistant",
        content: "four",
        reasoning: "two and two",
        annotations: [{ type: "url_citation", url_citation: { url: "https://example.org" } }],
      },
    },
  ],
  usage: {
    ...{ prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
    prompt_tokens_details: { cached_read_tokens: 4, cached_write_tokens: 3 },
  },
};
const [choice] = answer.choices;
const { choices: _choices, usage, ...envelope } = answer;

async function* stream(): AsyncGenerator<ChatChunk> {
  const chunk = (delta: ChatChunk["choices"][number]["delta"], finish_reason: string | null = null): ChatChunk => {
    return { ...envelope, object: "chat.completion.chunk", choices: [{ index: 0, finish_reason, delta }] };
  };
  const { reasoning, annotations } = choice?.message ?? {};
  yield chunk({ role: "assistant", reasoning });
  yield chunk({ content: "four" });
  yield chunk({ annotations });
  yield chunk({}, "stop");
  yield { ...chunk({}), choices: [], usage };
}

const engine = createEngine({
  providers: [
    {
      name: "openai",
      chat: async () => answer,
      streamChat: stream,
      listModels: async () => [{ id: "m" }],
    },
  ],
});
const messages = [{ role: "user" as const, content: "2 + 2?" }];

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await engine.fetch(`http://engine${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { response, text: await response.text() };
}

const framesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));

describe.each(["/v1/chat/completions", "/openai/v1/chat/completions"])("%s", (path) => {
  it("answers in words and members that typed clients know", async () => {
    const { text } = await post(path, { model: "openai/m", messages });
    const { service_tier, choices, usage: counted } = JSON.parse(text);
    expect(service_tier).toBe("default");
    expect(choices[0].message).toMatchObject({ reasoning: "two and two", reasoning_content: "two and two" });
    const page = { url: "https://example.org", title: "https://example.org", start_index: 0, end_index: 4 };
    expect(choices[0].message.annotations).toEqual([{ type: "url_citation", url_citation: page }]);
    expect(counted.prompt_tokens_details).toMatchObject({ cached_tokens: 4, cache_write_tokens: 3 });
  });

  it("streams in the same words", async () => {
    const body = { model: "openai/m", messages, stream: true, stream_options: { include_usage: true } };
    const frames = framesOf((await post(path, body)).text);
    expect(new Set(frames.map(({ service_tier }) => service_tier))).toEqual(new Set(["default"]));
    const deltas = frames.flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta));
    expect(deltas).toContainEqual(expect.objectContaining({ reasoning_content: "two and two" }));
    const page = { url: "https://example.org", title: "https://example.org", start_index: 0, end_index: 4 };
    expect(deltas).toContainEqual({ annotations: [{ type: "url_citation", url_citation: page }] });
    expect(frames.at(-1).usage.prompt_tokens_details).toMatchObject({ cached_tokens: 4, cache_write_tokens: 3 });
  });
});

it("keeps the vendor's tier out of answers where OpenAI has no word for it", async () => {
  const own = createEngine({
    providers: [{ name: "groq", chat: async () => ({ ...answer, service_tier: "performance" }) }],
  });
  expect(await own.chat({ model: "groq/m", messages })).not.toHaveProperty("service_tier");
});

it("counts written tokens in a response's usage", async () => {
  const { text } = await post("/openai/v1/responses", { model: "openai/m", input: "2 + 2?" });
  const { service_tier, usage: counted } = JSON.parse(text);
  expect(service_tier).toBe("default");
  expect(counted.input_tokens_details).toEqual({ cached_tokens: 4, cache_write_tokens: 3 });
});

it("lists models with the members that OpenAI's clients require", async () => {
  const list = await (await engine.fetch("http://engine/v1/models")).json();
  expect(list).toMatchObject({ object: "list", data: [{ id: "openai/m", object: "model", created: 0 }] });
  const one = await (await engine.fetch("http://engine/v1/models/openai%2Fm")).json();
  expect(one).toMatchObject({ id: "openai/m", object: "model", created: 0, type: "base" });
  const capabilities = { completion_chat: true, function_calling: true, vision: false };
  expect(one).toMatchObject({ capabilities }); // required by Mistral's client
});

describe("the id of a request", () => {
  it.each([
    ["/v1/models", ["x-request-id"]],
    ["/openai/v1/models", ["x-request-id"]],
    ["/anthropic/v1/models", ["x-request-id", "request-id"]],
    ["/nowhere", ["x-request-id"]],
  ])("stands where the vendors' clients look for it: %s", async (path, names) => {
    const { headers } = await engine.fetch(`http://engine${path}`);
    for (const name of names) expect(headers.get(name)).toBe(headers.get("x-tg-event-id"));
  });
});

describe("other names of a path", () => {
  const chat = { model: "openai/m", messages };
  it.each([
    ["/chat/completions", chat],
    ["/v1/v1/chat/completions", chat],
    ["/openai/chat/completions", chat],
    ["/openai/v1/v1/chat/completions", chat],
    ["/openai/deployments/openai/m/chat/completions?api-version=2026-01-01", chat],
    ["/responses", { model: "openai/m", input: "x" }],
    ["/v1/messages", { ...chat, max_tokens: 9 }],
    ["/anthropic/messages", { ...chat, max_tokens: 9 }],
    ["/v1beta/models/openai%2Fm:generateContent", { contents: [{ parts: [{ text: "x" }] }] }],
  ])("%s is answered", async (path, body) => {
    const { response, text } = await post(path, body);
    expect(response.status, text).toBe(200);
  });

  it("are nobody's where the path belongs to nothing", async () => {
    for (const path of ["/v1/v2/chat", "/openai/deployments/x/images", "/chat", "/v1/messages-of"])
      expect((await post(path, chat)).response.status).toBe(404);
  });
});

describe("a key in the query", () => {
  it("counts under /genai only, and only a virtual key", async () => {
    const keyed = createEngine({ providers: [{ name: "gemini", chat: async () => answer }], store: memoryStore() });
    const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
    const { value } = await keyed.keys.create({ name: "k", provider_configs });
    const status = async (path: string) => {
      const body = JSON.stringify({ contents: [{ parts: [{ text: "x" }] }], model: "gemini/m", messages });
      const init = { method: "POST", headers: { "content-type": "application/json" }, body };
      return (await keyed.fetch(`http://engine${path}`, init)).status;
    };
    expect(await status(`/genai/v1beta/models/m:generateContent?key=${value}`)).toBe(200);
    expect(await status(`/genai/v1beta/models/m:generateContent?alt=json&key=${value}0`)).toBe(401);
    expect(await status("/genai/v1beta/models/m:generateContent?key=AIza")).toBe(401);
    expect(await status(`/v1/chat/completions?key=${value}`)).toBe(401);
    await keyed.close();
  });
});

it("takes Mistral's word for a tool that must be called", async () => {
  const seen: ChatRequest[] = [];
  const chat = async (request: ChatRequest) => {
    seen.push(request);
    return answer;
  };
  const own = createEngine({ providers: [{ name: "a", chat }] });
  const tools = [{ type: "function", function: { name: "f" } }];
  const body = JSON.stringify({ model: "a/m", messages, tools, tool_choice: "any" });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  expect((await own.fetch("http://engine/v1/chat/completions", init)).status).toBe(200);
  expect(seen[0]?.tool_choice).toBe("required");
});

describe("a turn's reasoning in a history", () => {
  const seen: ChatRequest[] = [];
  const reading = createEngine({
    providers: [
      {
        name: "a",
        chat: async (request) => {
          seen.push(request);
          return answer;
        },
      },
    ],
  });

  it.each([
    [{ reasoning_content: "hm" }, { reasoning: "hm" }],
    [{ reasoning_content: "hm", reasoning: "hm" }, { reasoning: "hm" }],
    [{ reasoning_content: "theirs", reasoning: "ours" }, { reasoning: "ours" }],
    [{ reasoning_content: "" }, {}],
    [{ reasoning_content: null }, {}],
  ])("%o is one text, by our name", async (given, read) => {
    const history = [...messages, { role: "assistant" as const, content: "4", ...given }, ...messages];
    await reading.chat({ model: "a/m", messages: history });
    expect(seen.pop()?.messages[1]).toEqual({ role: "assistant", content: "4", ...read });
  });
});
