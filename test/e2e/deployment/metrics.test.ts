import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../adapters/conformance/stores/postgres-server.ts";
import { endAll, start } from "../command-line.ts";
import { answerWell, askLab, configOf, serveFolder, startVendor } from "../governed-serve.ts";
import { buildIfNeeded } from "../packed.ts";
import { namesIn, readDocumented, readExpressions, readPage } from "./metric-names.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-metrics-page-"));
let postgres: PostgresServer;
let page: ReturnType<typeof readPage>;
let log = "";

/** Serves over PostgreSQL, does a bit of everything, and reads the page. */
beforeAll(async () => {
  buildIfNeeded();
  postgres = startPostgres();
  const good = await startVendor(answerWell);
  const bad = await startVendor((_request, response) => void response.writeHead(500).end("{}"));
  const more = `  off/m: { input_cost_per_token: 0, output_cost_per_token: 0 }\ncache: {}\nmetrics: { port: 0 }\nstoreUnavailable: refuse\nretry: { retries: 0 }\n`;
  const config = configOf(good.url, more).replace(
    "providers: { ",
    `providers: { local: {}, off: { baseUrl: "${bad.url}", apiKey: "env:LAB_SECRET" }, `,
  );
  writeFileSync(join(folder, "tollgate.config.yaml"), `discover: false\n${config}`);
  const store = `postgres://tollgate@localhost/postgres?host=${encodeURIComponent(postgres.folder)}`;
  const env = { LAB_SECRET: "lab-secret-0123456789", TOLLGATE_SECRET: "0123456789abcdef0123456789abcdef" };
  const server = await serveFolder(folder, env, "--store", store);
  const key = server.firstKey ?? "";
  const limits = ["--requests", "1/1h", "--for-model", "local/*"];
  const limited = start(["key", "create", "limited", "--allow", "*", ...limits, "--store", store], { folder, env });
  expect(await limited.ended).toBe(0);
  const [limitedKey = ""] = /sk-tg-[\w-]+/.exec(limited.out()) ?? [];
  const ask = async (body: object, value = key) => {
    const response = await fetch(`${server.address}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-tg-key": value },
      body: JSON.stringify({ messages: [{ role: "user", content: "How are you?" }], ...body }),
    });
    await response.text();
  };
  for (let call = 0; call < 2; call++) await (await askLab(server.address, key)).text();
  await ask({ model: "local/echo", stream: true });
  await ask({ model: "off/m", fallbacks: ["lab/m"] });
  for (let call = 0; call < 2; call++) await ask({ model: "local/echo", fallbacks: ["lab/m"] }, limitedKey);
  await ask({ model: "off/m" });
  const [, metricsAt = ""] = await server.until(/(http:\S+\/metrics)/);
  const scrape = async () => (await fetch(metricsAt.replace(/[.,]$/, ""))).text();
  const underWay = ask({
    model: "local/echo",
    stream: true,
    messages: [{ role: "user", content: "word ".repeat(400) }],
  });
  let text = await scrape();
  for (let turn = 0; turn < 100 && !text.includes("tollgate_key_id="); turn++) text = await scrape();
  await underWay;
  page = readPage(`${text}\n${await scrape()}`);
  server.process.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  log = server.out();
  good.close();
  bad.close();
}, 240_000);
afterAll(async () => {
  endAll();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("every expression of the dashboard and the rules reads metrics and labels that a gateway has", () => {
  const labels = new Set([...page.values()].flatMap((each) => [...each]));
  const expressions = readExpressions();
  expect(expressions.length).toBeGreaterThan(50);
  const missing = expressions.flatMap(({ place, text }) => {
    const names = namesIn(text);
    expect(names.metrics.length, `${place} reads no metric`).toBeGreaterThan(0);
    const unknown = names.metrics.filter((name) => !page.has(name));
    return [...unknown, ...names.labels.filter((name) => !labels.has(name))].map((name) => `${place}: ${name}`);
  });
  expect(missing).toEqual([]);
});

it("a name that a gateway does not have is found", () => {
  const { metrics, labels } = namesIn(
    'sum by (instance, nobody) (rate(tollgate_nothing_total{who="x"}[5m])) / tollgate_other',
  );
  expect(metrics).toEqual(["tollgate_nothing_total", "tollgate_other"]);
  expect(labels).toEqual(["who", "nobody"]);
});

it("every metric of a gateway is documented, and every documented one is there", () => {
  const families = new Set([...page.keys()].map((name) => name.replace(/_(bucket|sum|count|total)$/, "")));
  const documented = new Set(readDocumented().map((name) => name.replace(/_(count)$/, "")));
  expect([...families].filter((name) => !documented.has(name))).toEqual([]);
  expect([...documented].filter((name) => !families.has(name))).toEqual([]);
});

it("the log says who asked, and with what the vendor failed", () => {
  const lines = log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ status: 200, target: "lab/m", client_address: "127.0.0.1" }));
  expect(lines).toContainEqual(expect.objectContaining({ upstream_status: 500, client_address: "127.0.0.1" }));
});
