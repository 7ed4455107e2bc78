import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { createEngine } from "../../../../src/index.ts";
import { ask, cachedEngine, heldProvider, settle } from "../../../engine/support/caching.ts";

const post = (fetch: ReturnType<typeof createEngine>["fetch"], body: object, headers: Record<string, string> = {}) =>
  fetch("http://engine/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** An engine over HTTP, without keys, that answers each question it is asked with a number. */
function served() {
  const { provider, asked } = heldProvider();
  const chat: typeof provider.chat = (request, call) => {
    const answer = provider.chat?.(request, call);
    asked.at(-1)?.say(String(asked.length));
    return answer as NonNullable<typeof answer>;
  };
  const cache = { answers: memoryCache(), ttl: 60_000, threshold: 0.9 };
  const { fetch } = createEngine({ providers: [{ ...provider, chat }], cache });
  const textOf = async (headers?: Record<string, string>) => {
    const body = (await (await post(fetch, ask("hi"), headers)).json()) as {
      choices: { message: { content: string } }[];
    };
    return body.choices[0]?.message.content;
  };
  return { fetch, textOf };
}

describe("x-tg-cache", () => {
  it("off asks anew, write asks anew and keeps, read and on give what is kept", async () => {
    const { textOf } = served();
    expect(await textOf()).toBe("1");
    expect(await textOf({ "x-tg-cache": "off" })).toBe("2");
    expect(await textOf()).toBe("1");
    expect(await textOf({ "x-tg-cache": "write" })).toBe("3");
    expect(await textOf({ "x-tg-cache": "read" })).toBe("3");
    expect(await textOf({ "x-tg-cache": "ON" })).toBe("3");
  });

  it("read keeps nothing", async () => {
    const { textOf } = served();
    expect(await textOf({ "x-tg-cache": "read" })).toBe("1");
    expect(await textOf()).toBe("2");
  });

  it.each([
    ["x-tg-cache", "maybe"],
    ["x-tg-cache-ttl", "soon"],
    ["x-tg-cache-ttl", "-1"],
    ["x-tg-cache-ttl", "61"],
    ["x-tg-cache-ttl", "0"],
    ["x-tg-cache-threshold", "high"],
    ["x-tg-cache-threshold", "0.8"],
    ["x-tg-cache-threshold", "1.01"],
  ])("%s: %s is 400 and names the header", async (name, value) => {
    const { fetch } = served();
    const response = await post(fetch, ask("hi"), { [name]: value });
    expect(response.status).toBe(400);
    const { type, error } = (await response.json()) as { type: string; error: { param: string; message: string } };
    expect({ type, param: error.param }).toEqual({ type: "invalid_request", param: name });
    expect(error.message).toContain(`\`${name}\``);
    expect(error.message).not.toContain("cache.");
  });

  it("is looked at also where nothing is kept", async () => {
    const { provider } = heldProvider();
    const { fetch } = createEngine({ providers: [provider] });
    expect((await post(fetch, ask("hi"), { "x-tg-cache": "maybe" })).status).toBe(400);
  });

  it("takes a stricter time and threshold", async () => {
    const { fetch } = served();
    const headers = { "x-tg-cache-ttl": "0.5", "x-tg-cache-threshold": "0.99" };
    expect((await post(fetch, ask("hi"), headers)).status).toBe(200);
  });
});

it("a kept answer comes over HTTP as a whole and as events, with cache_debug on the last", async () => {
  const { fetch } = served();
  await post(fetch, ask("hi"));
  const whole = (await (await post(fetch, ask("hi"))).json()) as { extra_fields: { cache_debug: object } };
  expect(whole.extra_fields.cache_debug).toMatchObject({ cache_hit: true, hit_type: "direct", requested_model: "m" });
  const text = await (await post(fetch, ask("hi", { stream: true }))).text();
  const frames = text.trim().split("\n\n");
  expect(frames.at(-1)).toBe("data: [DONE]");
  expect(frames.map((frame) => frame.includes('"cache_hit":true'))).toEqual([false, true, false]);
});

it("what is exchanged with the provider is asked for anew", async () => {
  const { engine, asked } = cachedEngine();
  for (const raw of [false, true]) {
    const call = engine.chat(ask("hi"), { raw });
    await settle();
    asked.at(-1)?.say("x");
    await call;
  }
  expect(asked).toHaveLength(2);
});
