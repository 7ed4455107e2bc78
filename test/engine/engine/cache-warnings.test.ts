import { expect, it } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { ask, cachedEngine, embedder, semantic, settle } from "../support/caching.ts";
import { engineOver } from "../support/support.ts";

async function keptOf(warning: string | undefined) {
  const chat: Provider["chat"] = async (_request, call) => {
    if (warning !== undefined) call.warn?.(warning);
    const message = { role: "assistant" as const, content: "one two" };
    const choices = [{ index: 0, finish_reason: "stop", message }];
    return { id: call.id, object: "chat.completion", created: 1, model: call.model, choices };
  };
  const streamChat: Provider["streamChat"] = () => Promise.reject(new Error("was asked")) as never;
  const { engine } = engineOver([{ name: "a", chat, streamChat }], { cache: { answers: memoryCache() } });
  await engine.chat(ask("hi"));
  const fields: (object | undefined)[] = [];
  for await (const { extra_fields } of await engine.streamChat(ask("hi"))) fields.push(extra_fields);
  expect(fields.at(-1)).toMatchObject({ cache_debug: { cache_hit: true } });
  expect(fields.length).toBeGreaterThan(1);
  return fields;
}

it("a kept answer tells its warnings with the first chunk of a stream, and only there", async () => {
  const [first, ...rest] = await keptOf("`top_k` is not supported by a");
  expect(first).toMatchObject({ warnings: ["`top_k` is not supported by a"] });
  for (const fields of rest) expect(fields).not.toHaveProperty("warnings");
});

it("a kept answer without warnings says nothing of them in a stream", async () => {
  for (const fields of await keptOf(undefined)) expect(fields).not.toHaveProperty("warnings");
});

it("similar questions are not looked for, and a warning says so, where no credential may be used to embed them", async () => {
  const { provider, texts } = embedder(() => [1]);
  const credentials = [{ id: "own", weight: 1, models: ["other"] }];
  const world = cachedEngine(semantic(), { providers: [{ ...provider, credentials }] });
  const call = world.engine.chat(ask("hi"));
  await settle();
  world.asked[0]?.say("fresh");
  const warning = "cache: similar questions were not looked for: No credential of e is good for m.";
  expect((await call).extra_fields?.warnings?.join()).toContain(warning);
  expect(world.events[0]).toMatchObject({ result: "failed" });
  expect(texts).toEqual([]);
});
