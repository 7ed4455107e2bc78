import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { endAll } from "./command-line.ts";
import { serveFolder } from "./governed-serve.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-drain-"));
const streams = 200;
/** That of the first server; the second finds its store. */
let key = "";

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(join(folder, "tollgate.config.yaml"), "logLevel: silent\nproviders: { local: { pauseMs: 60 } }\n");
}, 120_000);
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

it("SIGTERM with 200 live streams: no new work, every stream ends whole, the ledger is complete, exit 0", async () => {
  const server = await serveFolder(folder, {});
  key = server.firstKey ?? "";
  const ask = () =>
    fetch(`${server.address}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-tg-key": key },
      body: JSON.stringify({
        model: "local/echo",
        stream: true,
        messages: [{ role: "user", content: "one two three four five six seven eight nine ten eleven twelve" }],
      }),
    });
  const responses = await Promise.all(Array.from({ length: streams }, ask));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  server.process.kill("SIGTERM");
  await server.until(/Finishing \d+ requests/);
  await expect(ask()).rejects.toThrow();
  const texts = await Promise.all(responses.map((response) => response.text()));
  expect(texts.filter((text) => text.endsWith("data: [DONE]\n\n"))).toHaveLength(streams);
  expect(await server.ended).toBe(0);
  const store = sqliteStore(join(folder, "tollgate.db"));
  const { entries } = await store.ledger.entries({ limit: 1_000 });
  await store.close();
  const served = new Set(responses.map(({ headers }) => headers.get("x-tg-event-id")));
  expect(entries.filter(({ id, status }) => served.has(id) && status === 200)).toHaveLength(streams);
});

it("SIGTERM with --drain-delay: answers on, says that it is not ready, ends connections, then exits with 0", async () => {
  const server = await serveFolder(folder, {}, "--drain-delay", "6s");
  const ready = () => fetch(`${server.address}/health/ready`);
  expect((await ready()).status).toBe(200);
  server.process.kill("SIGTERM");
  await expect.poll(async () => (await ready()).status, { timeout: 5_000 }).toBe(503);
  const response = await fetch(`${server.address}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tg-key": key },
    body: JSON.stringify({ model: "local/echo", messages: [{ role: "user", content: "one" }] }),
  });
  expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
  expect(await server.ended).toBe(0);
});
