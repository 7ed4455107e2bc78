import { describe, expect, it } from "vitest";
import { createEngine, createFetch } from "../../../../src/index.ts";
import { cachedEngine, heldProvider } from "../../../engine/support/caching.ts";

type World = ReturnType<typeof served>;

/** An engine over HTTP that numbers its answers, with a way to ask and to forget as the holder of a key. */
function served({ scope, requireKey }: { scope?: "key" | "project"; requireKey?: boolean } = {}) {
  const { engine, asked } = cachedEngine(scope === undefined ? {} : { scope });
  const fetch = createFetch(engine, requireKey === undefined ? {} : { requireKey });
  const send = (route: string, key?: string, body?: object) =>
    fetch(`http://engine${route.slice(route.indexOf("/"))}`, {
      method: route.slice(0, route.indexOf(" ")),
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { "x-tg-key": key }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const question = async (key?: string) => {
    const before = asked.length;
    const body = { model: "a/m", messages: [{ role: "user", content: "hi" }] };
    const pending = send("POST /v1/chat/completions", key, body);
    for (let turn = 0; turn < 50 && asked.length === before; turn++) await new Promise(setImmediate);
    asked.at(-1)?.say(String(asked.length));
    const { extra_fields } = (await (await pending).json()) as {
      extra_fields: { cache_debug: { cache_id: string; cache_hit: boolean } };
    };
    return extra_fields.cache_debug;
  };
  return { engine, asked, question, send };
}

async function keyOf({ engine }: World, draft: object = {}): Promise<string> {
  const entries = [{ provider: "a", allowed_models: ["*"] }];
  return (await engine.keys.create({ name: "k", provider_configs: entries, ...draft })).value;
}

const forget = (world: World, id: string, key?: string) => world.send(`DELETE /v1/cache/${id}`, key);

describe("DELETE /v1/cache/{cache_id}", () => {
  it.each([
    ["as it is", (id: string) => id],
    ["percent-encoded", encodeURIComponent],
  ])("forgets an answer of the key's own, by the id of cache_debug %s; then it is not there", async (_how, spell) => {
    const world = served();
    const key = await keyOf(world);
    const { cache_id: id } = await world.question(key);
    const response = await forget(world, spell(id), key);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect((await forget(world, spell(id), key)).status).toBe(404);
    expect((await world.question(key)).cache_hit).toBe(false);
  });

  it("never touches an answer of another scope, and says of it what it says of none", async () => {
    const world = served({ requireKey: false });
    const [mine, other] = [await keyOf(world), await keyOf(world)];
    const { cache_id: id } = await world.question(mine);
    const { cache_id: trusted } = await world.question();
    const none = `${id.slice(0, -1)}x`;
    const said: unknown[] = [];
    for (const [asked, key] of [
      [id, other],
      [id, undefined],
      [trusted, mine],
      [none, mine],
      ["nonsense", mine],
    ] as const) {
      const response = await forget(world, asked, key);
      const { type, error } = (await response.json()) as { type: string; error: { message: string; param: string } };
      said.push([response.status, type, error.message, error.param]);
    }
    expect(new Set(said.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify([404, "not_found", "No such answer is kept for you.", "cache_id"])]),
    );
    expect((await world.question(mine)).cache_hit).toBe(true);
    expect((await world.question()).cache_hit).toBe(true);
  });

  it("forgets what a project shares, for each of its keys and for no other", async () => {
    const world = served({ scope: "project" });
    const project = await world.engine.projects.create({ name: "p" });
    const [one, two] = [await keyOf(world, { project_id: project.id }), await keyOf(world, { project_id: project.id })];
    const { cache_id: id } = await world.question(one);
    expect((await forget(world, id, await keyOf(world))).status).toBe(404);
    expect((await forget(world, id, two)).status).toBe(204);
    expect((await world.question(one)).cache_hit).toBe(false);
  });

  it("is refused as a call would be", async () => {
    const world = served();
    const key = await keyOf(world, { active: false });
    const statuses = [undefined, "sk-tg-unknown", key].map(async (one) => {
      const response = await forget(world, "trusted/x", one);
      return ((await response.json()) as { type: string }).type;
    });
    expect(await Promise.all(statuses)).toEqual([
      "virtual_key_required",
      "virtual_key_not_found",
      "virtual_key_blocked",
    ]);
  });
});

describe("DELETE /v1/cache", () => {
  it("forgets all answers of the caller's own scope and says how many, and none of others", async () => {
    const world = served({ requireKey: false });
    const [mine, other] = [await keyOf(world), await keyOf(world)];
    for (const key of [mine, other, undefined]) await world.question(key);
    const response = await world.send("DELETE /v1/cache", mine);
    expect([response.status, await response.json()]).toEqual([200, { deleted: 1 }]);
    expect(await (await world.send("DELETE /v1/cache", mine)).json()).toEqual({ deleted: 0 });
    expect((await world.question(other)).cache_hit).toBe(true);
    expect((await world.question()).cache_hit).toBe(true);
    expect((await world.question(mine)).cache_hit).toBe(false);
  });
});

it("where nothing is kept there is nothing to forget", async () => {
  const { fetch } = createEngine({ providers: [heldProvider().provider] });
  const send = (path: string) => fetch(`http://engine${path}`, { method: "DELETE" });
  expect((await send("/v1/cache/trusted/x")).status).toBe(404);
  expect(await (await send("/v1/cache")).json()).toEqual({ deleted: 0 });
});

it("in the process, too, a scope keeps a deletion within it", async () => {
  const world = served({ requireKey: false });
  const key = await keyOf(world);
  const { cache_id: id } = await world.question(key);
  const { cache } = world.engine;
  expect(await cache.scopeOf(undefined)).toBe("trusted");
  expect(await cache.delete(id, "trusted")).toBe(false);
  expect(await cache.delete(id, await cache.scopeOf(key))).toBe(true);
});
