import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { httpClient } from "../../../../../adapters/shared/http/client.ts";
import { undiciTransport } from "../../../../../adapters/shared/http/dispatch/undici.ts";
import { fetchTransport } from "../../../../../adapters/shared/http/fetch.ts";
import { dialectProvider } from "../../../../../adapters/shared/openai-compatible/provider.ts";
import { createEngine } from "../../../../../src/index.ts";
import type { Answerer } from "../../../../../src/testing/conformance/provider/upstream.ts";
import { closedAfter, failure, post, upstream } from "../../../support/shared/http/setup.ts";
import { plain } from "../../../support/shared/openai/setup.ts";

const code = "upstream_invalid_response";
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const choice = (content: string, index = 0) => ({ index, finish_reason: null, delta: { content } });
const event = (choices: readonly object[]) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices })}\n\n`;
const whole = (content: string) =>
  JSON.stringify({ id: "x", choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] });

const kinds = { json: "application/json", sse: "text/event-stream" } as const;

/** Answers the first request with these bytes, and every other well. */
function onceBad(
  kind: keyof typeof kinds,
  bytes: string | Uint8Array,
  head: { status?: number; encoding?: string } = {},
) {
  let isFirst = true;
  const answer: Answerer = (_seen, response) => {
    const wasFirst = isFirst;
    isFirst = false;
    const encoding = wasFirst && head.encoding ? { "content-encoding": head.encoding } : {};
    response.writeHead((wasFirst && head.status) || 200, { "content-type": kinds[kind], ...encoding });
    const good =
      kind === "json" ? whole("good") : `${event([{ ...choice("good"), finish_reason: "stop" }])}data: [DONE]\n\n`;
    response.end(wasFirst ? bytes : good);
  };
  return answer;
}

/** Two providers of one server, bounded so that a test need not send much. */
async function engineOf(answer: Answerer) {
  const server = await upstream(answer);
  const providers = ["a", "b"].map((provider) => {
    const transport = closedAfter(undiciTransport({ bodyLimit: 50_000 }));
    const http = httpClient({ provider, baseUrl: server.url, transport, streamLimit: 50_000, eventLimit: 500_000 });
    return dialectProvider({ name: provider, http, dialect: plain, embeds: false, models: "/models" });
  });
  const engine = closedAfter(createEngine({ providers, retry: { retries: 0 } }));
  const events: object[] = [];
  engine.on("fell_back", ({ from, to, reason }) => void events.push({ from, to, reason }));
  return { engine, fallen: () => events };
}

const request = { model: "a/m", messages: [{ role: "user" as const, content: "hi" }], fallbacks: ["b/m"] };
const bomb = gzipSync(whole("a".repeat(5_000_000)));

describe("an answer past its bounds is told so, and the fallback is asked", () => {
  it.each<[string, Answerer]>([
    ["too long", onceBad("json", whole("a".repeat(60_000)))],
    ["too long when it is unpacked", onceBad("json", bomb, { encoding: "gzip" })],
    ["nested too deep", onceBad("json", `{"choices":${deep.slice(90_000, -90_000)}}`)],
    ["a refusal that is too long", onceBad("json", whole("a".repeat(60_000)), { status: 500 })],
  ])("whole: %s", async (_what, answer) => {
    const { engine, fallen } = await engineOf(answer);
    const { choices } = await engine.chat(request);
    expect(choices[0]?.message.content).toBe("good");
    expect(fallen()).toEqual([{ from: "a/m", to: "b/m", reason: code }]);
  });

  it.each<[string, Answerer]>([
    ["comments without end", onceBad("sse", ": x\n\n".repeat(20_000))],
    ["too long when it is unpacked", onceBad("sse", gzipSync(": x\n\n".repeat(1_000_000)), { encoding: "gzip" })],
    ["an event that is nested too deep", onceBad("sse", `data: ${deep.slice(90_000, -90_000)}\n\n`)],
    ["one event without end", onceBad("sse", `data: ${"a".repeat(60_000)}`)],
  ])("streamed: %s", async (_what, answer) => {
    const { engine, fallen } = await engineOf(answer);
    let text = "";
    for await (const { choices } of await engine.streamChat(request)) text += choices[0]?.delta.content ?? "";
    expect(text).toBe("good");
    expect(fallen()).toEqual([{ from: "a/m", to: "b/m", reason: code }]);
  });
});

describe("a stream that has begun ends", () => {
  it.each<[string, string]>([
    ["behind its last byte", event([choice("a".repeat(100))]).repeat(1_000)],
    [
      "at its 1,025th choice",
      Array.from({ length: 1_100 }, (_, at) => `data: {"choices":[{"index":${at},"delta":{}}]}\n\n`).join(""),
    ],
  ])("%s", async (_where, text) => {
    const { engine } = await engineOf(onceBad("sse", text));
    const read = async () => {
      for await (const _ of await engine.streamChat({ ...request, fallbacks: [] }));
    };
    expect(await failure(read())).toMatchObject({ code });
  });
});

describe("a `fetch` that somebody gave", () => {
  const megabyte = new Uint8Array(1_048_576);
  const endless = (status: number) => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(megabyte);
      },
    });
    return { send: async () => new Response(body, { status }), pulled: () => pulled };
  };

  it.each([
    [200, 256],
    [500, 1],
  ])("is read no further than the bound of an answer with status %i", async (status, megabytes) => {
    const { send, pulled } = endless(status);
    expect(await failure(fetchTransport(send).whole(post("http://127.0.0.1:1/")))).toMatchObject({ code });
    expect(pulled()).toBeLessThanOrEqual(megabytes + 2);
  });
});
