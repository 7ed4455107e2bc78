import { describe, expect, it } from "vitest";
import { ask, cachedEngine, embedder, semantic, settle } from "../support/caching.ts";
import { textOf } from "../support/support.ts";

type World = ReturnType<typeof cachedEngine>;

/** The sums of all calls. */
async function sumsOf({ engine }: World) {
  const [sums] = await engine.usage.query({ from: 0, to: Number.MAX_SAFE_INTEGER });
  return sums;
}

/** What one answer of the scripted provider is counted as. */
const one = { prompt: 10, completion: 5 };

describe("hits count the tokens that they saved", () => {
  it("of the same question, whole and streamed", async () => {
    const world = cachedEngine();
    const first = world.engine.chat(ask("hi"));
    await settle();
    world.asked[0]?.say("fresh");
    await first;
    expect(await sumsOf(world)).toMatchObject({ saved_prompt_tokens: 0, saved_completion_tokens: 0 });
    await world.engine.chat(ask("hi"));
    expect(await textOf(await world.engine.streamChat(ask("hi")))).toBe("fresh");
    expect(world.asked).toHaveLength(1);
    expect(await sumsOf(world)).toMatchObject({
      ...{ cache_hits: 2, prompt_tokens: one.prompt, completion_tokens: one.completion },
      ...{ saved_prompt_tokens: 2 * one.prompt, saved_completion_tokens: 2 * one.completion },
    });
    const { entries } = await world.engine.usage.entries({ limit: 9, filters: { cache: "direct" } });
    expect(entries.map(({ saved_prompt_tokens: tokens }) => tokens)).toEqual([one.prompt, one.prompt]);
  });

  it("of a similar question, beside what its embedding took", async () => {
    const world = cachedEngine(semantic(), { providers: [embedder(() => [1, 0.5]).provider] });
    const first = world.engine.chat(ask("hi"));
    await settle();
    world.asked[0]?.say("fresh");
    await first;
    await world.engine.chat(ask("hi there"));
    const { entries } = await world.engine.usage.entries({ limit: 1 });
    expect(entries[0]).toMatchObject({
      ...{ cache: "semantic", saved_prompt_tokens: one.prompt, saved_completion_tokens: one.completion },
      attempts: [{ model: "e/m", prompt_tokens: 7 }],
    });
  });

  it("of a stream that others join while it runs", async () => {
    const world = cachedEngine();
    const texts = Array.from({ length: 5 }, async () => textOf(await world.engine.streamChat(ask("hi"))));
    await settle();
    world.asked[0]?.say("to be");
    await settle();
    world.asked[0]?.end();
    expect(await Promise.all(texts)).toEqual(Array(5).fill("to be"));
    const sums = await sumsOf(world);
    const { prompt_tokens = 0, completion_tokens = 0, cost_nano = 0 } = sums ?? {};
    expect(prompt_tokens * completion_tokens).toBeGreaterThan(0);
    expect(sums).toMatchObject({
      ...{ cache_hits: 4, saved_nano: 4 * cost_nano },
      ...{ saved_prompt_tokens: 4 * prompt_tokens, saved_completion_tokens: 4 * completion_tokens },
    });
  });
});
