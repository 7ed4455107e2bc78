import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { makeFolder } from "../../clouds/support/local.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const now = Date.UTC(2026, 10, 20, 12);

async function openFolder() {
  const folder = await makeFolder();
  const run = async (...line: string[]) => {
    const terminal = fakeTerminal({ folder, now: () => now, env: { TOLLGATE_DISCOVER: "false" } });
    const exitCode = await runProgram(line, terminal, () => "1.2.3");
    return { exitCode, ...terminal.written };
  };
  return { folder, run };
}

const beside = ["--store", "tollgate-demo.db"];

describe("tollgate demo", () => {
  it("fills a new store, shows its tokens once, and says how to go on; a store with users is left alone", async () => {
    const { folder, run } = await openFolder();
    const made = await run("demo");
    expect(made).toMatchObject({ exitCode: 0, err: "" });
    const tokens = new Set(made.out.match(/tg_at_[0-9A-Za-z]{43}/g));
    expect(tokens.size).toBe(4);
    expect(made.out).toContain("tollgate serve --store tollgate-demo.db --config tollgate-demo.json");
    for (const name of ["tollgate-demo.db", "tollgate-demo.db-wal"]) {
      if (statSync(join(folder, name), { throwIfNoEntry: false }) === undefined) continue;
      const bytes = readFileSync(join(folder, name));
      for (const token of tokens) expect(bytes.includes(token)).toBe(false);
    }
    const servers = JSON.parse((await run("portal", "call", "GET", "/iaas/servers", ...beside)).out) as {
      name: string;
    }[];
    expect(servers.map(({ name }) => name).toSorted()).toEqual(["bakery-web-1", "vets-web-1"]);
    expect((await run("usage", "--by", "model", ...beside)).out).toMatch(
      /claude-haiku-4-5.*\n.*gpt-5-mini|gpt-5-mini.*\n.*claude-haiku-4-5/,
    );
    const again = await run("demo");
    expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining("has users already") });
  }, 240_000);

  it("writes what it is served with: vendors that echo at their list prices, and what the reseller adds", async () => {
    const { folder, run } = await openFolder();
    await run("demo");
    const file = join(folder, "tollgate-demo.json");
    const { uplift } = JSON.parse(readFileSync(file, "utf8")) as { uplift: object };
    expect(uplift).toEqual({ northwind: [{ provider: "openai", percent: 15 }, { percent: 10 }] });
    const served = [...beside, "--config", "tollgate-demo.json"];
    const call = async (path: string, ...fields: string[]) =>
      JSON.parse((await run("portal", "call", "GET", path, ...fields, ...served)).out);
    const [request] = (await call("/ai/requests", "provider=openai", "status=200", "limit=1")) as {
      cost: number;
      price: number;
    }[];
    expect((request?.price ?? 0) / (request?.cost ?? 1)).toBeCloseTo(1.15, 6);
    const priced = await run("price", "openai/gpt-5-mini", "--config", "tollgate-demo.json", "--json");
    expect(priced.out).toContain("input_cost_per_token");
    writeFileSync(file, "{}");
    await run("demo", "--store", "other.db");
    expect(readFileSync(join(folder, "other.json"), "utf8")).toContain("gpt-5-mini");
    expect(readFileSync(file, "utf8")).toBe("{}");
  }, 240_000);

  it("shows governance: budgets half spent by calls that were made, a key that is refused, a backup that failed", async () => {
    const { run } = await openFolder();
    await run("demo");
    const call = async (path: string, ...fields: string[]) =>
      JSON.parse((await run("portal", "call", "GET", path, ...fields, ...beside)).out);
    const keys = (await call("/ai/keys")) as { id: string; name: string; budgets: { max_limit: number }[] }[];
    const of = (name: string) => keys.find((key) => key.name === name);
    const website = of("bakery website");
    const limits = (await call("/ai/limits", `key_id=${website?.id}`)) as {
      limit: number;
      used: number;
      unit: string;
    }[];
    const text = JSON.stringify(limits);
    expect(website?.budgets).toMatchObject([{ max_limit: 1 }]);
    expect(text).toMatch(/"used":0?\.[3-7]/);
    const refused = (await call("/ai/requests", `key_id=${of("bakery back office")?.id}`, "limit=50")) as {
      reason: string;
    }[];
    expect(refused.map(({ reason }) => reason)).toContain("budget_exceeded");
    const backups = (await call("/backups")) as { state: string; message?: string }[];
    expect(backups).toContainEqual(expect.objectContaining({ state: "failed" }));
  }, 240_000);

  it("is made by the tiers and the backup policies of the configuration; its usage counts for its customers", async () => {
    const { folder, run } = await openFolder();
    const config = {
      tiers: { acme: { llms: ["*"], resellers: ["acme"] }, gold: { llms: ["openai/*", "anthropic/*"] } },
      backupPolicies: { nightly: { schedule: "0 2 * * *", retention_primary: 7 } },
    };
    writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify(config));
    expect(await run("demo")).toMatchObject({ exitCode: 0, err: "" });
    const list = async (path: string) => (await run("portal", "call", "GET", path, ...beside)).out;
    expect(JSON.parse(await list("/ai/keys"))).toMatchObject(Array(4).fill({ profile: { name: "gold" } }));
    expect(await list("/backups")).toContain('"policy_id": "nightly"');
    const { out } = await run("usage", "--by", "customer", ...beside);
    expect(
      out
        .match(/^ +\S+/gm)
        ?.map((name) => name.trim())
        .toSorted(),
    ).toEqual(["CUSTOMER", "bakery", "total", "vets"]);
  }, 240_000);

  it("says so, before it makes anything, where the configuration has no tier for its reseller", async () => {
    const { folder, run } = await openFolder();
    writeFileSync(
      join(folder, "tollgate.config.json"),
      JSON.stringify({ tiers: { acme: { llms: ["*"], resellers: ["acme"] } } }),
    );
    expect(await run("demo")).toMatchObject({ exitCode: 1, err: expect.stringContaining("northwind") });
    expect(JSON.parse((await run("portal", "call", "GET", "/users", ...beside)).out)).toEqual([]);
  }, 240_000);
});
