import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endAll, start } from "./command-line.ts";
import { askLab, configOf, type Served, serveFolder, startVendor } from "./governed-serve.ts";
import { root } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-new-user-"));
const env = { LAB_SECRET: "sk-lab-0123456789" };

async function run(...line: string[]) {
  const { ended, out, err } = start(line, { folder, env });
  return { exitCode: await ended, out: out(), err: err() };
}

describe("somebody new, in an empty folder", () => {
  let server: Served;
  let key = "";
  let vendor: Awaited<ReturnType<typeof startVendor>>;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
    vendor = await startVendor();
    writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url));
  }, 120_000);
  afterAll(() => {
    endAll();
    vendor.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("serves, and is given a key and a line to paste that works at once", async () => {
    server = await serveFolder(folder, env);
    key = server.firstKey ?? "";
    expect(key).toMatch(/^sk-tg-\w{43}$/);
    const [curl = ""] = /^ {2}curl .*$/m.exec(server.err()) ?? [];
    const answer = JSON.parse(execFileSync("sh", ["-c", curl], { cwd: folder, encoding: "utf8" }));
    expect(answer.choices[0].message.content).toContain("Hello there");
    expect(answer.usage.cost.total_cost).toBe(0);
    expect(answer.extra_fields.warnings).toBeUndefined();
  });

  it("is refused without the key, and with a wrong one", async () => {
    expect((await fetch(`${server.address}/v1/models`)).status).toBe(401);
    expect((await askLab(server.address, "sk-tg-wrong")).status).toBe(401);
  });

  it("spends what the price says", async () => {
    const answer = (await (await askLab(server.address, key)).json()) as { usage: { cost: { total_cost: number } } };
    expect(answer.usage.cost.total_cost).toBe(0.00301);
  });

  it("sets a budget of a cent beside the running server, which holds from the next call on", async () => {
    const { exitCode, out } = await run("key", "limit", "first", "--budget", "0.01/1d", "--hard");
    expect(exitCode).toBe(0);
    expect(out).toContain("$0.01 per 1d (hard)");
    for (let call = 0; call < 3; call++) expect((await askLab(server.address, key)).status).toBe(200);
    const refused = await askLab(server.address, key);
    const { type, error } = (await refused.json()) as { type: string; error: { message: string } };
    expect({ status: refused.status, type }).toEqual({ status: 402, type: "budget_exceeded" });
    expect(error.message).toMatch(/^The budget of the key \(0\.01 USD per 1d\) has 0\.00097 USD left until 2\d{3}-/);
  });

  it("sees beside the running server what is used and left", async () => {
    const { out } = await run("key", "show", "first");
    expect(out).toMatch(/^ {2}key +\$0\.01 per 1d \(hard\) +\$0\.00903 +\$0\.00097 +2\d{3}-\d\d-\d\d \d\d:\d\d UTC$/m);
  });

  it("raises the budget, which stays hard and remembers what was spent, and goes on", async () => {
    expect((await run("key", "limit", "first", "--budget", "1/1d")).out).toContain("$1 per 1d (hard)");
    expect((await askLab(server.address, key)).status).toBe(200);
    expect((await run("key", "show", "first")).out).toMatch(/\$1 per 1d \(hard\) +\$0\.01204 +\$0\.98796/);
  });

  it("reads the bill, as a table, as CSV and as JSON", async () => {
    const { out } = await run("usage", "--by", "model");
    expect(out).toMatch(/^ {2}MODEL +REQUESTS +FAILED +TOKENS IN +CACHED +TOKENS OUT +COST$/m);
    expect(out).toMatch(/^ {2}lab\/m +6 +1 +50 +0 +150 +\$0\.01505$/m);
    expect(out).toMatch(/^ {2}local\/echo +1 /m);
    const csv = await run("usage", "--by", "key", "--key", "first", "--model", "lab/m", "--csv");
    expect(csv.out.split("\r\n")[1]).toMatch(/^vk_\w+,first,6,1,0,5,50,150,0,0,0,0,0,0,0,0\.01505,0$/);
    const [all] = JSON.parse((await run("usage", "--by", "day", "--json")).out);
    expect(all).toMatchObject({ requests: 7, failures: 1, cost: 0.01505, cost_nano: 15_050_000 }); // without those of the wrong key: strangers have no rows
  });

  it("switches the key off and on again, and makes another one that works at once", async () => {
    await run("key", "disable", "first");
    expect((await askLab(server.address, key)).status).toBe(403);
    await run("key", "enable", "first");
    expect((await askLab(server.address, key)).status).toBe(200);
    const { out } = await run("key", "create", "second", "--allow", "local/*");
    expect((await askLab(server.address, out.trim())).status).toBe(403);
    await run("key", "delete", "second");
    expect((await askLab(server.address, out.trim())).status).toBe(401);
  });

  it("is told when a second gateway is started on the same store", async () => {
    const { exitCode, err } = await run("serve", "--port", "0");
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^tollgate: The store .*tollgate\.db is in use by another gateway/);
  });

  it("finds everything again after a restart, and no second first key", async () => {
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    server = await serveFolder(folder, env);
    expect(server.firstKey).toBeUndefined();
    expect(server.err()).toContain("Bearer $TOLLGATE_KEY");
    expect((await run("key", "show", "first")).out).toMatch(/\$1 per 1d \(hard\) +\$0\.01505 /);
    expect((await askLab(server.address, key)).status).toBe(200);
  });
});
