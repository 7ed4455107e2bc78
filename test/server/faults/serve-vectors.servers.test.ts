import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { gather } from "../../../src/server/gather.ts";
import { openEngine } from "../../../src/server/open-engine.ts";
import { type RedisServer, startRedis } from "../../adapters/conformance/counters/redis-server.ts";
import { type PgliteServer, startPglite } from "../../adapters/conformance/stores/pglite-server.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";
import { freePort } from "../../support/free-port.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-vectors-"));
let postgres: PgliteServer;
let redis: RedisServer;
beforeAll(async () => {
  postgres = await startPglite();
  redis = await startRedis();
}, 300_000);
afterAll(async () => {
  await postgres.stop();
  await redis.stop();
  rmSync(folder, { recursive: true });
});

/** The engine of a gateway with this configuration of a cache. */
async function open(cache: Readonly<Record<string, unknown>>, terminal = fakeTerminal({ folder })) {
  writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify({ discover: false, cache }));
  const { engine } = await openEngine(terminal, undefined);
  onTestFinished(() => engine.close());
  return engine;
}

const shared = (schema: string) => ({
  answers: `redis://127.0.0.1:${redis.port}`,
  vectors: `${postgres.address}?schema=${schema}`,
  embed: "local/minilm-l6-v2",
  threshold: 0.9,
});
const asking = (content: string) => ({ model: "local/echo", messages: [{ role: "user" as const, content }] });

describe("gateways whose configuration names a database for vectors", () => {
  it("give what another one has kept to who asks in other words", async () => {
    const [one, other] = [await open(shared("told")), await open(shared("told"))];
    const first = await one.chat(asking("What is the capital of France?"));
    const again = await other.chat(asking("What's the capital city of France?"));
    expect(again.extra_fields?.cache_debug).toMatchObject({ cache_hit: true, hit_type: "semantic" });
    expect(again.choices[0]?.message).toEqual(first.choices[0]?.message);
  });

  it("keep vectors as long as answers are good", async () => {
    const engine = await open({ ...shared("short"), ttl: 60 });
    await engine.chat(asking("How high is Mont Blanc?"));
    const pool = postgres.pool();
    await pool.query("UPDATE short.entry SET put_at = put_at - interval '61 seconds'");
    const next = await open({ ...shared("short"), ttl: 60 });
    await next.chat(asking("How deep is Lake Geneva?"));
    await next.close();
    expect((await pool.query("SELECT count(*)::int AS kept FROM short.entry")).rows).toEqual([{ kept: 1 }]);
  });

  it("lose none while the server of the answers is gone", async () => {
    const gone = await startRedis();
    onTestFinished(() => gone.stop());
    const engine = await open({ ...shared("spared"), answers: `redis://127.0.0.1:${gone.port}` });
    await engine.chat(asking("What is the capital of Spain?"));
    const pool = postgres.pool();
    const kept = async () => (await pool.query("SELECT id FROM spared.entry")).rows;
    const before = await kept();
    await gone.kill();
    for (let call = 0; call < 3; call++) {
      const { extra_fields } = await engine.chat(asking("What's the capital city of Spain?"));
      expect(extra_fields?.cache_debug?.cache_hit).toBe(false);
    }
    expect(before).toHaveLength(1);
    expect(await kept()).toEqual(before);
  });

  it("do not begin with one that cannot keep them", async () => {
    const plain = await startPglite({ hasVectors: false });
    onTestFinished(() => plain.stop());
    await expect(open({ ...shared("x"), vectors: plain.address })).rejects.toThrow(/install pgvector there/);
    const nowhere = `${postgres.address}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
    await expect(open({ ...shared("x"), vectors: nowhere })).rejects.toThrow(
      /no such file or directory, open '\/nowhere/,
    );
  });
});

describe("gateways whose cache is out of reach at the start", () => {
  it("tell why, without a password, and begin", async () => {
    const password = "canary-of-vectors";
    const terminal = fakeTerminal({ folder });
    const vectors = `postgres://me:${password}@127.0.0.1:1/x`;
    const engine = await open({ ...shared("x"), answers: "redis://127.0.0.1:1", vectors }, terminal);
    const why = "which cannot be used: connect ECONNREFUSED 127.0.0.1:1. It is done without until it answers.";
    expect(terminal.written.err.split("\n")).toEqual([
      `tollgate: \`cache.answers\` names redis://127.0.0.1:1, ${why}`,
      `tollgate: \`cache.vectors\` names postgres://me@127.0.0.1:1/x, ${why}`,
      "",
    ]);
    const { choices, extra_fields } = await engine.chat(asking("How far is the moon?"));
    expect([choices[0]?.finish_reason, extra_fields?.cache_debug?.cache_hit]).toEqual(["stop", false]);
    const { secrets } = await gather({ ...terminal, file: undefined });
    expect(secrets).toContain(password);
  });

  it("use it as soon as it answers", async () => {
    const port = await freePort();
    const engine = await open({ answers: `redis://127.0.0.1:${port}` });
    const late = await startRedis({ port });
    onTestFinished(() => late.stop());
    const isKept = async () => (await engine.chat(asking("How far is the sun?"))).extra_fields?.cache_debug?.cache_hit;
    await vi.waitFor(async () => expect(await isKept()).toBe(true), { timeout: 20_000, interval: 100 });
  });

  it("do not begin with one that is there and refuses them", async () => {
    const { port, connect, stop } = await startRedis();
    onTestFinished(() => stop());
    await (await connect()).configSet("requirepass", "a-password-of-its-own");
    await expect(open({ answers: `redis://127.0.0.1:${port}` })).rejects.toThrow(/which cannot be used: NOAUTH/);
  });
});
