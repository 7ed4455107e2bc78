import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openEngine } from "../../../src/server/open-engine.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-cache-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An engine over a configuration with this line, without anything found beside it. */
async function openWith(line: string) {
  writeFileSync(join(folder, "cache.yaml"), `discover: false\n${line}\n`);
  const { engine } = await openEngine(fakeTerminal({ folder }), "cache.yaml");
  return engine;
}

const hello = { model: "local/echo", messages: [{ role: "user" as const, content: "hello" }] };

describe("the cache in a configuration", () => {
  it.each(["cache: {}", "cache: { ttl: 60, maxBytes: 1000000, scope: project }"])("%s keeps answers", async (line) => {
    const engine = await openWith(line);
    await engine.chat(hello);
    expect((await engine.chat(hello)).extra_fields?.cache_debug?.cache_hit).toBe(true);
    expect(await engine.cache.clear("trusted")).toBe(1);
    await engine.close();
  });

  it("is off where nothing is said", async () => {
    const engine = await openWith("recovery: error");
    expect((await engine.chat(hello)).extra_fields?.cache_debug).toBeUndefined();
    await engine.close();
  });

  it("has its time in seconds", async () => {
    const engine = await openWith("cache: { ttl: 60 }");
    await expect(engine.chat(hello, { cache: { ttl: 60_001 } })).rejects.toMatchObject({ param: "cache.ttl" });
    await engine.chat(hello, { cache: { ttl: 60_000 } });
    await engine.close();
  });

  it.each([
    ["cache: { tll: 60 }", "cache.tll", /did you mean `ttl`/],
    ["cache: { scope: world }", "cache.scope", /key/],
    ["cache: { threshold: 2 }", "cache.threshold", /at most 1/],
    ["cache: { embed: nobody/m }", "cache.embed", /nobody/],
    ["cache: true", "cache", /object/],
    [
      "cache: { embed: local/m, answers: redis://a, vectors: redis://a }",
      "cache.vectors",
      /begins with `postgres:\/\/`/,
    ],
    ["cache: { answers: redis://a, vectors: postgres://db/x }", "cache.vectors", /needs `embed`/],
    ["cache: { embed: local/m, vectors: postgres://db/x }", "cache.vectors", /needs `answers`/],
    [
      "cache: { embed: local/m, answers: redis://a, vectors: postgres://db/x, maxEntries: 9 }",
      "cache.maxEntries",
      /is for vectors in memory/,
    ],
  ])("%s is refused by name", async (line, param, message) => {
    await expect(openWith(line)).rejects.toMatchObject({ param, message: expect.stringMatching(message) });
  });
});
