import { describe, expect, it, test } from "vitest";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { createListener } from "../../../../src/http/server/node.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/clock.ts";
import { chunkOf, engineDouble, hello } from "../../support/engine-double.ts";
import { connectRaw, promised, rawPost, serve, turns } from "../../support/server.ts";
import { path, streamed } from "../../support/streaming.ts";

const anthropic = { model: "double/m", max_tokens: 9, messages: [{ role: "user", content: "x" }], stream: true };
const genai = { contents: [{ role: "user", parts: [{ text: "x" }] }] };

/** Each dialect: where it is asked, how, and what it sends to a caller who waits. */
const dialects = [
  ["our own", path, streamed, /^: keep-alive\n\n$/],
  ["OpenAI's", "/openai/v1/chat/completions", streamed, /^: keep-alive\n\n$/],
  ["Responses", "/openai/v1/responses", { model: "double/m", input: "x", stream: true }, /^event: response\.\w+\n/],
  ["Anthropic's", "/anthropic/v1/messages", anthropic, /^event: ping\ndata: \{"type":"ping"\}\n\n$/],
  ["Cohere's", "/cohere/v2/chat", { ...hello, stream: true }, /^: keep-alive\n\n$/],
  ["Google's", "/genai/v1beta/models/double/m:streamGenerateContent?alt=sse", genai, /^: keep-alive\n\n$/],
  ["Google's list", "/genai/v1beta/models/double/m:streamGenerateContent", genai, /^\n$/],
] as const;

/** A stream that is there, or fails, when the test says so. */
function comingStream() {
  const { promise, resolve } = promised<AsyncIterable<ChatChunk> | GatewayError>();
  const stream = promise.then((came) => (came instanceof GatewayError ? Promise.reject(came) : came));
  return { promise: stream, resolve, reject: (error: GatewayError) => resolve(error) };
}

/** An engine whose stream is there when the test says so. */
function slow() {
  const clock = fakeClock();
  const coming = comingStream();
  const seen: { signal?: AbortSignal } = {};
  const engine = engineDouble({
    clock,
    streamChat: (_request, options) => {
      seen.signal = options?.signal as AbortSignal;
      return new Promise((resolve, reject) => {
        coming.promise.then(resolve, reject);
        seen.signal?.addEventListener("abort", () => reject(seen.signal?.reason as Error));
      });
    },
  });
  /** Asks, and returns once the engine was asked; the answer is behind a function, so that it is not waited for. */
  const ask = async (where: string, body: unknown) => {
    const response = createFetch(engine)(`http://engine${where}`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body),
    });
    while (!seen.signal) await turns(1);
    return () => response;
  };
  return { clock, coming, seen, engine, ask };
}

async function* answer(text: string): AsyncGenerator<ChatChunk> {
  yield chunkOf(text, 0);
  yield chunkOf("", 1, "stop");
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  await turns(5);
  await clock.advance(ms);
  await turns(5);
}

function reading(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  return { reader, next };
}

describe.each(dialects)("a caller of %s dialect who waits for the first content", (...[, where, body, sign]) => {
  it("gets the head and a sign of life at each interval, and then the answer", async () => {
    const { clock, coming, ask } = slow();
    const asked = await ask(where, body);
    await pass(clock, 15_000);
    const response = await asked();
    expect(response.status).toBe(200);
    const { reader, next } = reading(response);
    expect(await next()).toMatch(sign);
    const second = next();
    await pass(clock, 15_000);
    expect(await second).toMatch(sign);
    coming.resolve(answer("at last"));
    let rest = "";
    for (let step = await reader.read(); !step.done; step = await reader.read())
      rest += new TextDecoder().decode(step.value);
    expect(rest).toContain("at last");
    await pass(clock, 15_000);
    expect(clock.pending).toBe(0);
  });

  it("gets a failure within the first interval as a status", async () => {
    const { clock, coming, ask } = slow();
    const asked = await ask(where, body);
    await pass(clock, 14_999);
    coming.reject(new GatewayError("upstream_timeout", "Silent.", { provider: "double" }));
    expect((await asked()).status).toBe(504);
    expect(clock.pending).toBe(0);
  });

  it("gets a later failure as the last frame of a body that does not end well", async () => {
    const { clock, coming, ask } = slow();
    const asked = await ask(where, body);
    await pass(clock, 15_000);
    const { reader, next } = reading(await asked());
    await next();
    coming.reject(new GatewayError("upstream_timeout", "Silent all the time.", { provider: "double" }));
    const last = await next();
    expect(last).toContain("Silent all the time.");
    expect(last).not.toMatch(/DONE|message_stop|response\.completed/);
    await expect(reader.read()).rejects.toThrow();
  });

  it("ends the call when he leaves", async () => {
    const { clock, seen, ask } = slow();
    const asked = await ask(where, body);
    await pass(clock, 15_000);
    const { reader, next } = reading(await asked());
    await next();
    await reader.cancel();
    expect(seen.signal?.aborted).toBe(true);
    await pass(clock, 15_000);
    expect(clock.pending).toBe(0);
  });
});

test("the status that a late failure would have had is in its frame", async () => {
  const { clock, coming, ask } = slow();
  const asked = await ask(path, streamed);
  await pass(clock, 15_000);
  const { next } = reading(await asked());
  await next();
  coming.reject(new GatewayError("request_limited", "Full."));
  expect(JSON.parse((await next()).slice("data: ".length))).toMatchObject({
    status_code: 429,
    type: "request_limited",
  });
});

test("Responses: the answer that was begun while waiting is the one that ends", async () => {
  const { clock, coming, ask } = slow();
  const asked = await ask("/openai/v1/responses", { model: "double/m", input: "x", stream: true });
  await pass(clock, 15_000);
  const { reader, next } = reading(await asked());
  let text = await next();
  coming.resolve(answer("yes"));
  for (let step = await reader.read(); !step.done; step = await reader.read())
    text += new TextDecoder().decode(step.value);
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? ""));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, n) => n));
  expect(events.filter(({ type }) => type === "response.created")).toHaveLength(1);
  expect(new Set(events.flatMap(({ response }) => response?.id ?? [])).size).toBe(1);
});

test("warnings that come too late for a header stand in a comment before the first frame", async () => {
  const { clock, coming, ask } = slow();
  const asked = await ask("/anthropic/v1/messages", anthropic);
  await pass(clock, 15_000);
  const { next } = reading(await asked());
  await next();
  const [chunk] = [chunkOf("x")];
  const warned = { ...chunk, extra_fields: { ...chunk?.extra_fields, warnings: ["`seed` is left out"] } } as ChatChunk;
  coming.resolve(
    (async function* () {
      yield warned;
      yield chunkOf("", 1, "stop");
    })(),
  );
  expect(await next()).toMatch(/^: x-tg-warnings \["`seed` is left out"\]\n\nevent: message_start\n/);
});

test("over the wire too: the head at the first interval, and the hang-up ends the call", async () => {
  const { clock, seen, engine } = slow();
  await using server = await serve(createListener({ engine, clock }));
  const { socket, until } = connectRaw(server.port, rawPost(path, streamed));
  while (!seen.signal) await turns(1);
  await clock.advance(15_000);
  expect(await until(": keep-alive\n\n")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await clock.advance(15_000);
  await until(": keep-alive\n\n\r\n12\r\n: keep-alive\n\n".slice(0, 14));
  socket.destroy();
  while (!seen.signal.aborted) await turns(1);
});

test("0 turns the signs of life off: the answer begins with its first chunk", async () => {
  const clock = fakeClock();
  const coming = comingStream();
  const fetch = createFetch(engineDouble({ clock, streamChat: () => coming.promise }), { keepAliveMs: 0 });
  const asked = fetch(`http://engine${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(streamed),
  });
  await pass(clock, 600_000);
  coming.reject(new GatewayError("upstream_timeout", "Silent."));
  expect((await asked).status).toBe(504);
});
