import { expect, test } from "vitest";
import type { CoreEngine } from "../../../src/engine/engine.ts";
import { createFetch } from "../../../src/http/server/fetch.ts";
import { chunkOf, echo, engineDouble, hello } from "../support/engine-double.ts";
import { promised, turns } from "../support/server.ts";

const url = "http://engine/v1/chat/completions";
const headers = { "content-type": "application/json" };
const init = (body: unknown): RequestInit => ({ method: "POST", headers, body: JSON.stringify(body) });
const streamed = { ...hello, stream: true };

test("a request needs no socket, whatever the origin", async () => {
  const call = createFetch(engineDouble({ chat: echo }));
  const response = await call("https://nowhere.invalid/v1/chat/completions", init(hello));
  expect([response.status, response.headers.get("x-tg-event-id")]).toEqual([200, "evt_1"]);
  expect(await response.json()).toEqual(await echo(hello as never));
});

test.each<[string, RequestInit["body"]]>([
  ["text", JSON.stringify(hello)],
  ["bytes", new TextEncoder().encode(JSON.stringify(hello))],
  ["a buffer", new TextEncoder().encode(JSON.stringify(hello)).buffer as ArrayBuffer],
  ["a blob", new Blob([JSON.stringify(hello)])],
  ["a stream", new Blob([JSON.stringify(hello)]).stream()],
])("a body may be %s", async (_name, body) => {
  const engine = engineDouble({ chat: echo });
  const response = await createFetch(engine)(new URL(url), {
    method: "post",
    headers: new Headers(headers),
    body: body ?? null,
  });
  expect([response.status, engine.asked[0]?.request]).toEqual([200, hello]);
});

test("a body that tells its own media type needs no header for it; a text is text", async () => {
  const call = createFetch(engineDouble({ chat: echo }));
  const post = (body: RequestInit["body"]) => call(url, { method: "POST", body: body ?? null });
  expect((await post(new Blob([JSON.stringify(hello)], { type: "application/json" }))).status).toBe(200);
  const refused = await post(JSON.stringify(hello));
  expect([refused.status, await refused.text()]).toEqual([415, expect.stringContaining("text/plain")]);
});

test("a body that fails rejects with its own error, and nobody is asked", async () => {
  const engine = engineDouble({ chat: echo });
  const failure = new Error("the disk is gone");
  const body = new ReadableStream({ start: (controller) => controller.error(failure) });
  await expect(createFetch(engine)(url, { method: "POST", headers, body })).rejects.toBe(failure);
  expect(engine.asked).toEqual([]);
});

test("a Request is taken as well, and what stands beside it wins", async () => {
  const engine = engineDouble({ chat: echo });
  const call = createFetch(engine);
  const request = new Request(url, { ...init(hello), headers: { ...headers, "x-tg-key": "sk-tg-1" } });
  expect((await call(request)).status).toBe(200);
  expect((await call(new Request(url, init(hello)), init({ ...hello, model: "double/n" }))).status).toBe(200);
  expect(engine.asked.map(({ request, options }) => [(request as { model: string }).model, options.key])).toEqual([
    ["double/m", "sk-tg-1"],
    ["double/n", undefined],
  ]);
});

test("a GET may have a query, HEAD and OPTIONS have no body, errors resolve", async () => {
  const engine = engineDouble({ models: async () => ({ data: [] }) });
  const call = createFetch(engine);
  await call("http://engine/v1/models?provider=a%20b");
  expect({ ...(engine.asked[0]?.request as object) }).toEqual({ provider: "a b" });
  expect((await call("http://engine/health", { method: "HEAD" })).body).toBeNull();
  expect((await call(url, { method: "OPTIONS" })).status).toBe(204);
  expect((await call("http://engine/nowhere")).status).toBe(404);
});

test("the limit of a body holds", async () => {
  const call = createFetch(engineDouble({ chat: echo }), { bodyLimit: 10 });
  expect((await call(url, init(hello))).status).toBe(413);
});

/** A stream that counts its pulls and returns. */
function counted() {
  const seen = { pulls: 0, returns: 0, signal: promised<AbortSignal>() };
  const streamChat: CoreEngine["streamChat"] = async (_request, options) => {
    seen.signal.resolve(options?.signal as AbortSignal);
    const iterator: AsyncIterator<ReturnType<typeof chunkOf>> = {
      next: async () => ({ done: false, value: chunkOf("x", seen.pulls++) }),
      return: async () => {
        seen.returns++;
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  };
  return { seen, call: createFetch(engineDouble({ streamChat })) };
}

test("a streamed body is pulled only as it is read", async () => {
  const { seen, call } = counted();
  const response = await call(url, init(streamed));
  await turns(10);
  expect(seen.pulls).toBe(0);
  const reader = response.body?.getReader();
  await reader?.read();
  await turns(10);
  expect(seen.pulls).toBe(1);
  await reader?.cancel();
  expect(seen).toMatchObject({ pulls: 1, returns: 1 });
});

test("a streamed body ends with [DONE] and closes", async () => {
  const call = createFetch(
    engineDouble({
      streamChat: async () =>
        (async function* () {
          yield chunkOf("Hello", 0, "stop");
        })(),
    }),
  );
  const text = await (await call(url, init(streamed))).text();
  expect(text).toBe(`data: ${JSON.stringify(chunkOf("Hello", 0, "stop"))}\n\ndata: [DONE]\n\n`);
});

test("an abort amid a stream fails the reader with its reason, aborts the call and returns the chunks once", async () => {
  const { seen, call } = counted();
  const controller = new AbortController();
  const response = await call(url, { ...init(streamed), signal: controller.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(reader?.read()).rejects.toBe(reason);
  expect((await seen.signal.promise).aborted).toBe(true);
  expect(seen.returns).toBe(1);
});

test("an abort before the answer rejects with its reason", async () => {
  const arrived = promised<void>();
  const call = createFetch(
    engineDouble({
      chat: (_request, options) => {
        arrived.resolve();
        const signal = options?.signal as AbortSignal;
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
  );
  const controller = new AbortController();
  const pending = call(url, { ...init(hello), signal: controller.signal });
  await arrived.promise;
  controller.abort();
  await expect(pending).rejects.toMatchObject({ name: "AbortError" });
});

test("a signal that is aborted already asks nobody", async () => {
  const engine = engineDouble({ chat: echo });
  await expect(createFetch(engine)(url, { ...init(hello), signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(engine.asked).toEqual([]);
});

test("a call leaves no listener on a long-lived signal", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  const call = createFetch(engineDouble({ chat: echo, streamChat: async () => (async function* () {})() }));
  await call(url, { ...init(hello), signal });
  await (await call(url, { ...init(streamed), signal })).text();
  await (await call(url, { ...init(streamed), signal })).body?.cancel();
  expect(listeners).toBe(0);
});
