import { describe, expect, test } from "vitest";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { type ErrorCode, GatewayError } from "../../../../src/engine/errors.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { readBroken, readUntilEnd } from "../../support/broken-body.ts";
import { readEvents } from "../../support/dialects/frames.ts";
import { chunkOf, echo, engineDouble } from "../../support/engine-double.ts";

type Double = ReturnType<typeof engineDouble>;

/** The smallest chat of each dialect: its path, and its body with or without a stream. */
const dialects = {
  openai: {
    path: () => "/openai/v1/chat/completions",
    body: (stream: boolean) => ({ model: "double/m", stream, messages: [{ role: "user", content: "hello" }] }),
    key: { authorization: "Bearer sk-tg-1" },
  },
  responses: {
    path: () => "/v1/responses",
    body: (stream: boolean) => ({ model: "double/m", stream, input: "hello" }),
    key: { authorization: "Bearer sk-tg-1" },
  },
  anthropic: {
    path: () => "/anthropic/v1/messages",
    body: (stream: boolean) => ({
      model: "double/m",
      max_tokens: 9,
      stream,
      messages: [{ role: "user", content: "hello" }],
    }),
    key: { "x-api-key": "sk-tg-1", "anthropic-version": "2023-06-01" },
  },
  genai: {
    path: (stream: boolean) =>
      `/genai/v1beta/models/double/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: () => ({ contents: [{ parts: [{ text: "hello" }] }] }),
    key: { "x-goog-api-key": "sk-tg-1" },
  },
  cohere: {
    path: () => "/cohere/v2/chat",
    body: (stream: boolean) => ({ model: "double/m", stream, messages: [{ role: "user", content: "hello" }] }),
    key: { authorization: "bearer sk-tg-1" },
  },
} as const;
type Name = keyof typeof dialects;
const names = Object.keys(dialects) as Name[];

function ask(engine: Double, name: Name, stream = false): Promise<Response> {
  const { path, body, key } = dialects[name];
  const headers = { "content-type": "application/json", ...key };
  const text = JSON.stringify(body(stream));
  return createFetch(engine)(`http://engine${path(stream)}`, { method: "POST", body: text, headers });
}

async function* chunks(...told: (ChatChunk | Error)[]): AsyncGenerator<ChatChunk> {
  for (const chunk of told) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

const broken = new GatewayError("upstream_stream_broken", "The stream ended early.");

/** What ends a complete stream of each dialect. */
const terminators = {
  openai: "data: [DONE]",
  responses: "event: response.completed",
  anthropic: "event: message_stop",
  genai: '"finishReason"',
  cohere: "data: [DONE]",
} satisfies Record<Name, string>;

/** The last frame of a stream that broke. */
const endings = {
  openai: { error: { type: "upstream_stream_broken", message: "The stream ended early." } },
  responses: {
    type: "response.failed",
    response: { status: "failed", error: { code: "upstream_stream_broken", message: "The stream ended early." } },
  },
  anthropic: { type: "error", error: { type: "api_error", message: "The stream ended early." } },
  genai: { error: { code: 502, status: "UNAVAILABLE", message: "The stream ended early." } },
  cohere: { type: "message-end", delta: { finish_reason: "ERROR", error: "The stream ended early." } },
} satisfies Record<Name, object>;

describe.each(names)("%s", (name) => {
  test("the vendor's own header carries the virtual key, and the vendor's field the model", async () => {
    const engine = engineDouble({ chat: echo });
    expect((await ask(engine, name)).status).toBe(200);
    expect(engine.asked).toMatchObject([
      { verb: "chat", request: { model: "double/m", messages: [{ role: "user", content: "hello" }] } },
    ]);
    expect(engine.asked[0]?.options).toMatchObject({ key: "sk-tg-1", eventId: "evt_1" });
  });
  test("a complete stream ends with the vendor's terminator", async () => {
    const engine = engineDouble({ streamChat: async () => chunks(chunkOf("a"), chunkOf("b", 1, "stop")) });
    const response = await ask(engine, name, true);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await response.text()).toContain(terminators[name]);
  });
  test("a stream that breaks ends with the vendor's error and never with its terminator", async () => {
    const engine = engineDouble({ streamChat: async () => chunks(chunkOf("a"), broken) });
    const text = await readBroken(await ask(engine, name, true));
    expect(text).not.toContain(terminators[name]);
    expect(readEvents(text).at(-1)?.data).toMatchObject(endings[name]);
    if (name === "responses") expect(text).toContain('"type":"error"');
  });
  test("a failure before the first content is an answer with its status", async () => {
    for (const streamChat of [async () => chunks(broken), () => Promise.reject(broken)]) {
      const response = await ask(engineDouble({ streamChat }), name, true);
      expect(response.status).toBe(502);
      expect(response.headers.get("content-type")).toBe("application/json");
    }
  });
  test("what the provider cannot honour is in a header, whole and streamed", async () => {
    const warnings = ["`logit_bias` is not supported by double", "grüße"];
    const chat = async (request: Parameters<typeof echo>[0]) => ({
      ...(await echo(request)),
      extra_fields: { request_type: "chat_completion" as const, warnings },
    });
    const first = {
      ...chunkOf("a", 0, "stop"),
      extra_fields: { request_type: "chat_completion_stream" as const, warnings },
    };
    const engine = engineDouble({ chat, streamChat: async () => chunks(first) });
    for (const stream of [false, true]) {
      const { headers } = await ask(engine, name, stream);
      expect(JSON.parse(headers.get("x-tg-warnings") ?? "")).toEqual(expect.arrayContaining(warnings));
    }
    expect((await ask(engineDouble({ chat: echo }), name)).headers.get("x-tg-warnings")).toBeNull();
  });
  test("leaving a stream early ends the engine's", async () => {
    let ended = 0;
    const streamChat = async () =>
      (async function* () {
        try {
          for (let n = 0; ; n++) yield chunkOf("a", n);
        } finally {
          ended++;
        }
      })();
    const reader = (await ask(engineDouble({ streamChat }), name, true)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(ended).toBe(1);
  });
  test("usage is asked for in a stream: the vendor tells it", async () => {
    const engine = engineDouble({ streamChat: async () => chunks(chunkOf("a", 0, "stop")) });
    await (await ask(engine, name, true)).text();
    const { stream_options } = (engine.asked[0]?.request ?? {}) as { stream_options?: object };
    expect(stream_options).toEqual(name === "openai" ? undefined : { include_usage: true });
  });
  test("an answer that ended by an error never looks complete", async () => {
    const chat = async (request: Parameters<typeof echo>[0]) => {
      const answer = await echo(request);
      return { ...answer, choices: answer.choices.map((choice) => ({ ...choice, finish_reason: "error" })) };
    };
    const engine = engineDouble({ chat, streamChat: async () => chunks(chunkOf("a"), chunkOf("", 1, "error")) });
    const whole = await ask(engine, name);
    const { text, isBroken } = await readUntilEnd(await ask(engine, name, true));
    const isTold = { genai: '"OTHER"', cohere: '"ERROR"', responses: '"failed"' }[name as string];
    if (isTold === undefined) {
      expect(whole.status).toBe(502);
      expect(isBroken).toBe(true);
      expect(text).not.toContain(terminators[name]);
    } else {
      expect(await whole.text()).toContain(isTold);
      expect(text).toContain(isTold);
    }
  });
});

type Refusal = (code: ErrorCode, status: number) => object;

/** The body of an error in each dialect. */
const refusals: Record<Name, Refusal> = {
  openai: (code) => ({ error: { message: "No.", code, param: "model" } }),
  responses: (code) => ({ error: { message: "No.", code, param: "model" } }),
  anthropic: (code) => ({ type: "error", error: { message: "No.", details: { error_code: code, param: "model" } } }),
  genai: (code, status) => ({
    error: {
      code: status,
      message: "No.",
      details: expect.arrayContaining([expect.objectContaining({ reason: code })]),
    },
  }),
  cohere: (code) => ({ message: "No.", code, param: "model" }),
};

/** The vendor's own word for an error. */
const words: Partial<Record<Name, Partial<Record<ErrorCode, string>>>> = {
  anthropic: {
    invalid_request: "invalid_request_error",
    virtual_key_required: "authentication_error",
    budget_exceeded: "billing_error",
    model_blocked: "permission_error",
    provider_not_found: "not_found_error",
    token_limited: "rate_limit_error",
    circuit_open: "overloaded_error",
    upstream_timeout: "timeout_error",
    upstream_unreachable: "api_error",
  },
  genai: {
    invalid_request: "INVALID_ARGUMENT",
    virtual_key_required: "UNAUTHENTICATED",
    model_blocked: "PERMISSION_DENIED",
    provider_not_found: "NOT_FOUND",
    token_limited: "RESOURCE_EXHAUSTED",
    circuit_open: "UNAVAILABLE",
    upstream_timeout: "DEADLINE_EXCEEDED",
  },
};
const codes = Object.keys(words.anthropic ?? {}) as ErrorCode[];

describe.each(names)("an error of %s", (name) => {
  test.each(codes)("%s has the vendor's shape and word, our code, the field, and when to come back", async (code) => {
    const error = new GatewayError(code, "No.", { param: "model", retryAfterMs: 2_000 });
    const response = await ask(engineDouble({ chat: () => Promise.reject(error) }), name);
    expect(response.status).toBe(error.status);
    expect(response.headers.get("retry-after")).toBe("2");
    const body = await response.json();
    expect(body).toMatchObject(refusals[name](code, error.status));
    const word = words[name]?.[code];
    if (word !== undefined) expect(Object.values((body as { error: object }).error)).toContain(word);
  });
  test("a provider's own words survive", async () => {
    const upstream = { status: 418, type: "teapot", code: "short", param: "spout", message: "No." };
    const error = new GatewayError("upstream_error", "x", { upstream });
    const response = await ask(engineDouble({ chat: () => Promise.reject(error) }), name);
    expect(response.status).toBe(418);
    const text = await response.text();
    for (const word of ["No.", "short", ...(name === "cohere" ? [] : ["spout"])]) expect(text).toContain(`"${word}"`);
    expect(text).not.toContain('"x"');
  });
  test("nothing is told of a defect but that there was one", async () => {
    const response = await ask(engineDouble({ chat: () => Promise.reject(new Error("secret")) }), name);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });
});
