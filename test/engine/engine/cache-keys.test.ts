import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/index.ts";
import { ask, cachedEngine, embedder, semantic, settle } from "../support/caching.ts";
import { textOf } from "../support/support.ts";

const allowAll = [{ provider: "a", allowed_models: ["*"] }];

/** Asks, and lets the provider answer if it is asked. */
async function answerOf(world: ReturnType<typeof cachedEngine>, key: string | undefined, text = "fresh") {
  const before = world.asked.length;
  const call = world.engine.chat(ask("hi"), { key });
  call.catch(() => {});
  await settle();
  if (world.asked.length > before) world.asked.at(-1)?.say(text);
  return call;
}

async function keyFor(
  world: ReturnType<typeof cachedEngine>,
  draft: Partial<Parameters<Engine["keys"]["create"]>[0]> = {},
) {
  return world.engine.keys.create({ name: "k", provider_configs: allowAll, ...draft });
}

it("a vector whose provider says no usage is counted here, and marked", async () => {
  const { provider } = embedder(() => [1, 0]);
  const silent = {
    ...provider,
    embed: async (...asked: Parameters<Required<typeof provider>["embed"]>) => {
      const { usage: _usage, ...answer } = await (provider as Required<typeof provider>).embed(...asked);
      return answer;
    },
  };
  const world = cachedEngine(semantic(), { providers: [silent] });
  await answerOf(world, undefined);
  const { entries } = await world.engine.usage.entries({ limit: 1 });
  const [vector] = entries[0]?.attempts ?? [];
  expect(vector).toMatchObject({ provider: "e", is_estimated: true });
  expect(vector?.prompt_tokens).toBeGreaterThan(0);
});

describe("a kept answer", () => {
  it("costs nothing, and the ledger says what it saved", async () => {
    const world = cachedEngine();
    const { key, value } = await keyFor(world, { budgets: [{ max_limit: 1, reset_duration: "1d" }] });
    await answerOf(world, value);
    const [{ used: before } = { used: -1 }] = await world.engine.usage.limits(key.id);
    const again = await answerOf(world, value);
    expect(again.usage).toMatchObject({ total_tokens: 15, cost: { total_cost: 0 } });
    const [{ used: after, reserved } = { used: -2, reserved: -1 }] = await world.engine.usage.limits(key.id);
    expect({ after, reserved }).toEqual({ after: before, reserved: 0 });
    const { entries } = await world.engine.usage.entries({ limit: 1 });
    const direct = { cache: "direct", saved: 0.000_02, saved_nano: 20_000, attempts: [], status: 200, key_id: key.id };
    expect(entries[0]).toMatchObject(direct);
  });

  it("counts as a request in the windows of the key, and is refused with them", async () => {
    const world = cachedEngine();
    const rate_limits = [{ request_max_limit: 2, request_reset_duration: "1m" as const }];
    const { value } = await keyFor(world, { rate_limits });
    await answerOf(world, value);
    const rates: unknown[] = [];
    await world.engine.chat(ask("hi"), { key: value, onRates: ({ requests }) => rates.push(requests?.remaining) });
    expect(rates).toEqual([0]);
    await expect(answerOf(world, value)).rejects.toMatchObject({ code: "request_limited" });
    expect(world.asked).toHaveLength(1);
  });

  it("takes nothing of a window of tokens, and is given although that is full", async () => {
    const world = cachedEngine();
    const rate_limits = [{ token_max_limit: 1_100, token_reset_duration: "1h" as const }];
    const { key, value } = await keyFor(world, { rate_limits });
    await answerOf(world, value);
    const [before] = await world.engine.usage.limits(key.id);
    for (let round = 0; round < 200; round++) await answerOf(world, value);
    const [after] = await world.engine.usage.limits(key.id);
    expect(after?.used).toBe(before?.used);
    expect(world.asked).toHaveLength(1);
  });

  it("is not for a key that is switched off, or may not ask the model any more", async () => {
    const world = cachedEngine();
    const { key, value } = await keyFor(world);
    await answerOf(world, value);
    await world.engine.keys.update(key.id, { provider_configs: [{ provider: "a", allowed_models: ["other"] }] });
    await expect(answerOf(world, value)).rejects.toMatchObject({ code: "model_blocked" });
    await world.engine.keys.update(key.id, { active: false });
    await expect(answerOf(world, value)).rejects.toMatchObject({ code: "virtual_key_blocked" });
  });

  it("belongs to its key, and not to another of the same project, nor to the trusted caller", async () => {
    const world = cachedEngine();
    const project = await world.engine.projects.create({ name: "p" });
    const [one, other] = [
      await keyFor(world, { project_id: project.id }),
      await keyFor(world, { project_id: project.id }),
    ];
    await answerOf(world, one.value);
    await answerOf(world, other.value);
    await answerOf(world, undefined);
    expect(world.asked).toHaveLength(3);
    await answerOf(world, one.value);
    expect(world.asked).toHaveLength(3);
  });

  it("is shared in a project where that is configured", async () => {
    const world = cachedEngine({ scope: "project" });
    const project = await world.engine.projects.create({ name: "p" });
    const one = await keyFor(world, { project_id: project.id });
    const other = await keyFor(world, { project_id: project.id });
    const stranger = await keyFor(world);
    await answerOf(world, one.value);
    const shared = await answerOf(world, other.value);
    expect(shared.extra_fields?.cache_debug?.cache_id).toMatch(new RegExp(`^project:${project.id}/`));
    expect(world.asked).toHaveLength(1);
    await answerOf(world, stranger.value);
    expect(world.asked).toHaveLength(2);
  });

  it("is forgotten by its id, and with its scope", async () => {
    const world = cachedEngine();
    const { key, value } = await keyFor(world);
    const first = await answerOf(world, value);
    const id = first.extra_fields?.cache_debug?.cache_id ?? "";
    expect(await world.engine.cache.delete(id)).toBe(true);
    expect(await world.engine.cache.delete(id)).toBe(false);
    await answerOf(world, value);
    expect(world.asked).toHaveLength(2);
    expect(await world.engine.cache.clear("trusted")).toBe(0);
    expect(await world.engine.cache.clear(`key:${key.id}`)).toBe(1);
    await answerOf(world, value);
    expect(world.asked).toHaveLength(3);
  });

  it("is told as a stream, too, with its debug last", async () => {
    const world = cachedEngine();
    await answerOf(world, undefined, "one two");
    const stream = await world.engine.streamChat(ask("hi"));
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ extra_fields }) => extra_fields?.chunk_index)).toEqual([0, 1]);
    expect(chunks.at(-1)?.extra_fields?.cache_debug).toMatchObject({ cache_hit: true, hit_type: "direct" });
    expect(chunks.at(0)?.extra_fields?.cache_debug).toBeUndefined();
    expect(await textOf(await world.engine.streamChat(ask("hi")))).toBe("one two");
    expect(world.asked).toHaveLength(1);
  });

  it("expires, and is not given to whoever wants a younger one", async () => {
    const world = cachedEngine({ ttl: 60_000 });
    await answerOf(world, undefined);
    await world.clock.advance(10_000);
    const young = world.engine.chat(ask("hi"), { cache: { ttl: 10_000 } });
    await settle();
    expect(world.asked).toHaveLength(2);
    world.asked[1]?.say("newer");
    await young;
    await world.clock.advance(9_999);
    expect((await answerOf(world, undefined)).choices[0]?.message.content).toBe("newer");
    await world.clock.advance(1);
    await answerOf(world, undefined);
    expect(world.asked).toHaveLength(3);
  });
});

describe("the answer to a similar question", () => {
  it("costs its embedding, which stands on the bill and counts for the budgets of the key", async () => {
    const { provider } = embedder(() => [1, 0.5]);
    const world = cachedEngine(semantic(), { providers: [provider] });
    const { key, value } = await keyFor(world, { budgets: [{ max_limit: 1, reset_duration: "1d" }] });
    await answerOf(world, value);
    const used = async () => (await world.engine.usage.limits(key.id))[0]?.used_nano;
    expect(await used()).toBe(20_000 + 7_000);
    const similar = await world.engine.chat(ask("hi there"), { key: value });
    expect(similar.usage?.cost).toEqual({ total_cost: 0.000_007 });
    expect(similar.extra_fields?.cache_debug).toMatchObject({
      cache_hit: true,
      hit_type: "semantic",
      requested_provider: "a",
      requested_model: "m",
      provider_used: "e",
      model_used: "m",
      input_tokens: 7,
      threshold: 0.95,
    });
    expect(similar.extra_fields?.cache_debug?.similarity).toBeCloseTo(1, 4);
    expect(await used()).toBe(20_000 + 14_000);
    const { entries } = await world.engine.usage.entries({ limit: 1 });
    const attempts = [{ model: "e/m", cost_nano: 7_000 }];
    expect(entries[0]).toMatchObject({ cache: "semantic", saved_nano: 20_000, attempts });
    expect(world.asked).toHaveLength(1);
  });

  it("costs its embedding also where no ledger is kept, by its own word and by that of its event", async () => {
    const { provider } = embedder(() => [1, 0.5]);
    const world = cachedEngine(semantic(), { providers: [provider], store: undefined });
    const costs: (number | undefined)[] = [];
    world.engine.on("settled", ({ cost }) => costs.push(cost));
    await answerOf(world, undefined);
    const similar = await world.engine.chat(ask("hi there"));
    expect(similar.usage?.cost).toEqual({ total_cost: 0.000_007 });
    await world.engine.chat(ask("hi"));
    expect(costs).toEqual([0.000_027, 0.000_007, undefined]);
  });

  it("is not given below the threshold, nor when the caller raises it", async () => {
    const { provider } = embedder((text) => (text.includes("apple") ? [1, 0] : [0.97, Math.sqrt(1 - 0.97 ** 2)]));
    const world = cachedEngine(semantic(), { providers: [provider] });
    const first = world.engine.chat(ask("apple"));
    await settle();
    world.asked[0]?.say("x");
    await first;
    const strict = world.engine.chat(ask("pear"), { cache: { threshold: 0.98, mode: "read" } });
    await settle();
    expect(world.asked).toHaveLength(2);
    world.asked[1]?.say("y");
    await strict;
    expect((await world.engine.chat(ask("pear"))).choices[0]?.message.content).toBe("x");
  });

  it("is not missed when the embedding fails: the question is asked, and a warning says so", async () => {
    const provider = { name: "e", embed: () => Promise.reject(new TypeError("broken")) };
    const world = cachedEngine(semantic(), { providers: [provider] });
    const answer = await answerOf(world, undefined);
    expect(answer.extra_fields?.warnings?.join()).toMatch(/^cache: similar questions were not looked for/);
    expect(world.events.map(({ result }) => result)).toEqual(["failed", "miss", "kept"]);
    const again = await answerOf(world, undefined);
    expect(again.extra_fields?.warnings).toBeUndefined();
    expect(again.extra_fields?.cache_debug?.cache_hit).toBe(true);
  });

  it("is gone with the answer it leads to", async () => {
    const { provider } = embedder(() => [1]);
    const world = cachedEngine(semantic(), { providers: [provider] });
    const id = (await answerOf(world, undefined)).extra_fields?.cache_debug?.cache_id ?? "";
    expect(await world.engine.cache.delete(id)).toBe(true);
    const other = world.engine.chat(ask("hello"));
    await settle();
    expect(world.asked).toHaveLength(2);
    world.asked[1]?.say("x");
    expect((await other).extra_fields?.cache_debug?.cache_hit).toBe(false);
  });
});
