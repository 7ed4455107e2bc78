import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "../../src/engine/policy/key.ts";
import { endAll, everythingPrinted, start } from "./command-line.ts";
import { answerWell, askLab, configOf, type Served, serveFolder, startVendor } from "./governed-serve.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-canary-"));
const providerKey = "sk-lab-canary-0123456789abcdef";
const otherKey = "sk-lab-canary-second-9876543210";
const password = "canary-password-0123456789";
const serviceToken = "canary-service-token-0123456789";
const env = { LAB_SECRET: providerKey, LAB_SECOND: otherKey, OPERATOR_ONE: password, OPERATOR_TWO: serviceToken };
const basic = Buffer.from(`operator:${password}`).toString("base64");

/** Bodies and headers of every answer that a client got. */
const heard: string[] = [];
let vendor: Awaited<ReturnType<typeof startVendor>>;
let server: Served;
/** Of a key that was made for the test, not the one that serve shows. */
let virtualKey = "";

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  let calls = 0;
  vendor = await startVendor((request, response) => {
    calls += 1;
    if (calls % 5 === 1) return answerWell(request, response);
    if (calls % 5 === 2) return void response.destroy();
    const message = `The header is too long: ${request.headers.authorization}`;
    const status = calls % 5 === 0 ? 400 : 401;
    const code = status === 401 ? "invalid_api_key" : "header_too_long";
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code } }));
  });
  const credentials = '[{ id: one, apiKey: "env:LAB_SECRET" }, { id: two, apiKey: "env:LAB_SECOND" }]';
  const operators = 'server: { service: { user: operator, password: "env:OPERATOR_ONE", token: "env:OPERATOR_TWO" } }';
  const config = configOf(vendor.url, `logLevel: trace\nretry: { retries: 0 }\nmetrics: { port: 0 }\n${operators}`);
  writeFileSync(
    join(folder, "tollgate.config.yaml"),
    config.replace('apiKey: "env:LAB_SECRET"', `credentials: ${credentials}`),
  );
}, 120_000);
afterAll(() => {
  endAll();
  vendor.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...line: string[]): Promise<string> {
  const { ended, out, err } = start(line, { folder, env });
  await ended;
  return out() + err();
}

async function hear(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  heard.push(JSON.stringify([...response.headers]), await response.text());
  return response.status;
}

/** Everything in the folder: the store with all that SQLite keeps beside it, and whatever else was left. */
function everythingKept(): string {
  const files = readdirSync(folder).filter((name) => name !== "printed" && !name.includes(".first-"));
  expect(files.some((name) => name.endsWith(".db"))).toBe(true);
  return files.map((name) => readFileSync(join(folder, name), "latin1")).join("\n");
}

describe("secrets", () => {
  it("are used in every way that answers, fails or is refused", async () => {
    server = await serveFolder(folder, env);
    const { ended, out } = start(["key", "create", "app", "--allow", "*", "--requests", "40/1d"], { folder, env });
    await ended;
    virtualKey = out().trim();
    const { address } = server;
    const statuses = new Set<number>();
    for (let call = 0; call < 12; call++) statuses.add(await hear(askLab(address, virtualKey)));
    for (const headers of [{ "x-tg-raw": "true" }, { "x-tg-session": "s" }] as Record<string, string>[])
      for (let call = 0; call < 4; call++) statuses.add(await hear(askLab(address, virtualKey, headers)));
    statuses.add(await hear(askLab(address, `${virtualKey}x`)));
    const broken = { method: "POST", headers: { "content-type": "application/json", "x-tg-key": virtualKey } };
    statuses.add(await hear(fetch(`${address}/v1/chat/completions`, { ...broken, body: `{"model": "${virtualKey}` })));
    const asBasic = { headers: { authorization: `Basic ${basic}` } };
    expect(await hear(fetch(`${address}/api/nowhere`, asBasic))).toBe(404);
    for (const misplaced of [
      { model: virtualKey },
      { model: "lab/m", user: virtualKey, metadata: { app: virtualKey } },
    ]) {
      const body = JSON.stringify({ messages: [{ role: "user", content: "Hi" }], ...misplaced });
      statuses.add(await hear(fetch(`${address}/v1/chat/completions`, { ...broken, body })));
    }
    for (const authorization of [`Bearer ${serviceToken}`, `Bearer ${serviceToken}x`, `Basic ${basic}x`])
      statuses.add(await hear(fetch(`${address}/api/nowhere`, { headers: { authorization } })));
    statuses.add(await hear(fetch(`${address}/openapi.json`, asBasic)));
    statuses.add(await hear(fetch(`${address}/v1/models`, asBasic)));
    statuses.add(await hear(fetch(`${address}/api/keys`, { headers: { "x-tg-key": virtualKey } })));
    await run("key", "disable", "app");
    statuses.add(await hear(askLab(address, virtualKey)));
    for (const status of [200, 400, 401, 403, 404, 502]) expect([...statuses]).toContain(status);
    for (const line of [
      "key list",
      "key show app",
      "key list --json",
      "usage --by key",
      "usage --json",
      "models",
      "chat lab/m Hi",
    ])
      expect(await run(...line.split(" "))).not.toBe("");
    const [, metrics = ""] = /^Metrics for Prometheus are at (\S+)\.$/m.exec(server.err()) ?? [];
    expect(await hear(fetch(metrics))).toBe(200);
    expect(heard.at(-1)).toContain("gen_ai_client_operation_duration_count");
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it.each([
    ["the provider's key", () => providerKey],
    ["its other key", () => otherKey],
    ["the operator's password", () => password],
    ["the operator's credential as it is sent", () => basic],
    ["the operator's token", () => serviceToken],
  ])("are nowhere: %s", (_, secret) => {
    expect(heard.join("\n")).toContain("The header is too long: Bearer [redacted]");
    for (const place of [everythingPrinted(), heard.join("\n"), everythingKept()]) {
      expect(place).not.toContain(secret());
      expect(place.length).toBeGreaterThan(1_000);
    }
  });

  it("are nowhere but where they are shown once: the virtual key", () => {
    expect(everythingPrinted().split(virtualKey)).toHaveLength(2);
    expect(server.out() + server.err()).not.toContain(virtualKey);
    expect(heard.join("\n")).not.toContain(virtualKey);
    expect(everythingKept()).not.toContain(virtualKey);
    expect(everythingKept()).toContain(hashKey(virtualKey)); // so it was looked for in the right place
  });

  it("of the first key are in a file of its owner alone, and on no screen that is none", () => {
    const first = server.firstKey ?? "none was made";
    expect(server.out() + server.err()).not.toContain(first);
    expect(statSync(server.firstKeyFile ?? "").mode & 0o777).toBe(0o600);
    expect(everythingKept()).not.toContain(first);
    expect(heard.join("\n")).not.toContain(first);
  });
});
