import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { memoryCache } from "../../../adapters/caches/memory.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { LimitUsage } from "../../../src/engine/policy/limit-usage.ts";
import type { CacheOptions, CallOptions, Engine } from "../../../src/index.ts";
import { type FakeClock, fakeClock } from "../../../src/testing/index.ts";
import { type Asked, ask, embedder, heldProvider, semantic, settle } from "../support/caching.ts";
import { engineOver, textOf } from "../support/support.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-charged-once-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Stage {
  readonly engine: Engine;
  readonly clock: FakeClock;
  readonly options: CallOptions;
  /** Questions that `a` and `b` were asked. */
  readonly a: readonly Asked[];
  readonly b: readonly Asked[];
}

interface Scene {
  /** What was charged on the way. */
  readonly name: string;
  readonly cache?: CacheOptions;
  /** Plays calls up to where that happened; what it gives plays them to their end. */
  readonly play: (stage: Stage) => Promise<() => Promise<unknown>>;
}

const lost = new GatewayError("upstream_stream_broken", "lost");
const wish = ask("hi", { fallbacks: ["b/m"] });

const scenes: readonly Scene[] = [
  {
    name: "a target that failed",
    async play({ engine, options, a, b }) {
      const call = engine.chat(wish, options);
      await settle();
      a[0]?.fail(lost);
      return async () => {
        b[0]?.say("hello");
        await call;
      };
    },
  },
  {
    name: "a stream that another candidate goes on with",
    async play({ engine, options, a, b }) {
      const opening = engine.streamChat(wish, options);
      await settle();
      a[0]?.say("to be ");
      const text = textOf(await opening);
      await settle();
      a[0]?.fail(lost);
      return async () => {
        b[0]?.say("to be or not");
        b[0]?.end();
        await text;
      };
    },
  },
  {
    name: "one of two that were asked together",
    async play({ engine, clock, options, a, b }) {
      const call = engine.chat(wish, { ...options, hedge: { after_ms: 5 } });
      await settle();
      await clock.advance(5);
      a[0]?.fail(lost);
      return async () => {
        b[0]?.say("hello");
        await call;
      };
    },
  },
  {
    name: "the vector of a question",
    cache: { answers: memoryCache(), ...semantic() },
    async play({ engine, options, a }) {
      const call = engine.chat(ask("hi"), options);
      return async () => {
        a[0]?.say("hello");
        await call;
      };
    },
  },
  {
    name: "being told what somebody else streams",
    cache: { answers: memoryCache() },
    async play({ engine, options, a }) {
      const openings = [engine.streamChat(ask("hi"), options), engine.streamChat(ask("hi"), options)];
      await settle();
      a[0]?.say("to be");
      const texts = (await Promise.all(openings)).map(textOf);
      return async () => {
        a[0]?.end();
        await Promise.all(texts);
      };
    },
  },
];

const requests = { request_max_limit: 99, request_reset_duration: "1d" } as const;
const tokens = { token_max_limit: 9_999, token_reset_duration: "1d" } as const;
const limits = {
  budgets: [{ max_limit: 1, reset_duration: "1d" as const }],
  rate_limits: [{ ...requests, ...tokens }],
  provider_configs: [{ provider: "*", allowed_models: ["*"] }],
};

async function begin(path: string, cache: CacheOptions | undefined) {
  const [a, b, other] = [heldProvider("a"), heldProvider("b"), heldProvider("other")];
  const { provider: e } = embedder((text) => (text.includes("other") ? [0, 1] : [1, 0]));
  const providers = [a.provider, b.provider, other.provider, e];
  const store = sqliteStore(path);
  const clock = fakeClock();
  const { engine } = engineOver(providers, { store, clock, cache, retry: { retries: 0 } });
  const { key, value } = await engine.keys.create({ name: "k", ...limits });
  /** How the limits stand for a gateway that begins with what the file holds. */
  const standAfterDeath = async (): Promise<readonly LimitUsage[]> => {
    const { ledger, records, close } = sqliteStore(path);
    const beside = { ...ledger, recover: ledger.inspect, append: async () => {} };
    const { engine: next } = engineOver(providers, { clock, store: { ledger: beside, records, close } });
    const standing = await next.usage.limits(key.id);
    await next.close();
    return standing;
  };
  const stage: Stage = { engine, clock, options: { key: value }, a: a.asked, b: b.asked };
  return { stage, keyId: key.id, other: other.asked, store, standAfterDeath };
}

const usedOf = (standing: readonly LimitUsage[]) => standing.map(({ unit, used }) => `${unit} ${used}`);

it.each(scenes)(
  "$name is charged once after a death, whatever was written before the end of the call",
  async (scene) => {
    const { name, cache, play } = scene;
    const { stage, keyId, other, store, standAfterDeath } = await begin(join(folder, `${name}.db`), cache);
    const { engine, options } = stage;
    const finish = await play(stage);
    await settle();
    const another = engine.chat(ask("other", { model: "other/m" }), options);
    await settle();
    other[0]?.say("hello");
    await another;
    store.ledger.checkpoint();
    const underWay = await engine.usage.limits(keyId);
    expect(underWay.some(({ unit, used, reserved }) => unit === "requests" && used === 1 && reserved > 0)).toBe(true);
    expect(usedOf(await standAfterDeath())).toEqual(usedOf(underWay));
    await finish();
    const alive = await engine.usage.limits(keyId);
    expect(alive.every(({ reserved }) => reserved === 0)).toBe(true);
    expect(await standAfterDeath()).toEqual(alive);
    await engine.close();
  },
);
