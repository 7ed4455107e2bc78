import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { runProgram } from "../../../src/cli/run-program.ts";
import { createEngine } from "../../../src/index.ts";
import { forgetOld } from "../../../src/server/background.ts";
import { openEngine } from "../../../src/server/open-engine.ts";
import { anAttempt, anEntryOf } from "../../adapters/support/entries.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-governance-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

async function run(line: string, config?: string) {
  const terminal = fakeTerminal({ folder, now: () => Date.UTC(2026, 10, 20) });
  const words = line.split(" ");
  const exitCode = await runProgram([...words, ...(config === undefined ? [] : ["-c", config])], terminal, () => "1");
  return { exitCode, ...terminal.written };
}

describe("settings of the engine in a configuration", () => {
  it("reach it: rules, prefix of keys, deadlines", async () => {
    const text = [
      "keyPrefix: sk-acme-",
      "order: price",
      "recovery: error",
      "circuit: { consecutive: 1 }",
      "rules: [{ name: away, when: { model: other/* }, use: { model: local/echo } }]",
    ].join("\n");
    const file = write("engine.yaml", text);
    const { engine } = await openEngine(fakeTerminal({ folder }), file, async () => memoryStore());
    expect(engine.keyPrefix).toBe("sk-acme-");
    expect(engine.plan({ model: "other/x" })).toMatchObject({ targets: [{ name: "local/echo" }] });
    expect((await engine.keys.create({ name: "a" })).value).toMatch(/^sk-acme-/);
    await engine.close();
  });

  it("that are wrong are told by field", async () => {
    const file = write("wrong.yaml", "rules: [{ name: a, use: { model: nobody } }]");
    expect((await run("plan local/echo", file)).err).toContain("`rules.0.use.model`: `nobody` is no");
  });
});

describe("prices of a configuration", () => {
  it("are those of a file, or its content, over the built-in ones", async () => {
    write("prices.json", '{ "lab/m": { "input_cost_per_token": 0.000002, "output_cost_per_token": 0 } }');
    for (const prices of ["prices.json", "{ lab/m: { input_cost_per_token: 0.000002, output_cost_per_token: 0 } }"]) {
      const { out, exitCode } = await run("price lab/m", write("priced.yaml", `prices: ${prices}`));
      expect(exitCode).toBe(0);
      expect(out).toMatch(/^ {2}input_cost_per_token +\$2 +per million tokens$/m);
    }
  });

  it("hold for a second account of a vendor, whose key need not be known", async () => {
    const file = write("second.yaml", "providers: { mine: { kind: openai, apiKey: env:NOT_SET } }");
    const [mine, theirs] = [await run("price mine/gpt-5 --json", file), await run("price openai/gpt-5 --json", file)];
    expect(JSON.parse(mine.out)[0].rates).toEqual(JSON.parse(theirs.out)[0].rates);
  });

  it("are told to whoever does not know what operators send", async () => {
    const file = write("guarded.yaml", "server: { service: { user: a, password: env:NOT_SET } }");
    expect(await run("price openai/gpt-5", file)).toMatchObject({ exitCode: 0 });
  });

  it("that cannot be read are told", async () => {
    const err = async (prices: string) => (await run("price lab/m", write("bad.yaml", `prices: ${prices}`))).err;
    expect(await err("none.json")).toBe("tollgate: none.json is not there.\n");
    expect(await err(write("list.json", "[]"))).toBe("tollgate: list.json holds no prices by model.\n");
    expect(await err("{ lab/m: { input_cost_per_token: free } }")).toContain("The price of lab/m cannot be used");
  });

  it("unknown ones are said, and never $0", async () => {
    const { out, err, exitCode } = await run("price openai/gpt-55");
    expect({ out, exitCode }).toEqual({ out: "", exitCode: 1 });
    expect(err).toMatch(/^tollgate: No price of openai\/gpt-55 is known\. Did you mean openai\/gpt-/);
  });
});

describe("the store of the command line", () => {
  it("is not made by looking for something in it", async () => {
    for (const line of ["key list", "key show ci", "usage", "project list", "key limit ci --budget 1/1d"]) {
      const { exitCode, err } = await run(`${line} --store nowhere.db`);
      expect(exitCode).toBe(1);
      expect(err).toMatch(
        /^tollgate: The store nowhere\.db does not exist in .*; --store names another\.\n|make one; --store names/,
      );
    }
  });

  it("is the configuration's, unless the command line has another", async () => {
    const config = write("stored.yaml", "store: mine.db");
    expect((await run("customer create acme", config)).exitCode).toBe(0);
    expect((await run("customer list --store mine.db")).out).toContain("acme");
    expect((await run("customer create other --store theirs.db", config)).exitCode).toBe(0);
    expect((await run("customer list", config)).out).not.toContain("other");
  });

  it("is none where the configuration keeps nothing, unless the command line has one", async () => {
    const config = write("unkept.yaml", "store: false");
    for (const line of ["key create ci --allow *", "usage"]) {
      const { exitCode, out, err } = await run(line, config);
      expect({ exitCode, out, err }).toEqual({
        exitCode: 1,
        out: "",
        err: "tollgate: The configuration disables the store: `store` is false. Name a store with --store.\n",
      });
    }
    expect(existsSync(join(folder, "tollgate.db"))).toBe(false);
    expect((await run("key create ci --allow * --store kept.db", config)).exitCode).toBe(0);
  });

  it("has names for records, as long as only one has it", async () => {
    const at = "--store names.db";
    for (const name of ["a", "twin", "twin"]) await run(`project create ${name} ${at}`);
    expect((await run(`project show a ${at}`)).exitCode).toBe(0);
    expect((await run(`project show twin ${at}`)).err).toMatch(
      /^tollgate: 2 records have the name twin; say which by its id: prj_\w+, prj_\w+\.\n$/,
    );
    expect((await run(`project show b ${at}`)).err).toBe("tollgate: There is no project with the id or name b.\n");
  });

  it("keeps a key that may ask nobody from being made by mistake", async () => {
    const { exitCode, err } = await run("key create idle --store idle.db");
    expect({ exitCode, err }).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("The key would allow no model. Name models:"),
    });
    expect((await run("key list --store idle.db")).out).toBe("No keys.\n");
  });

  it("takes tags by any name but the one that JavaScript would lose", async () => {
    const at = "--store tags.db";
    const { exitCode, err } = await run(`project create odd --tag __proto__=1 ${at}`);
    expect([exitCode, err]).toEqual([2, "tollgate: --tag cannot be named __proto__. Take another name.\n"]);
    const made = await run(`project create even --tag constructor=a --tag toString=b=c ${at}`);
    expect(made.out).toMatch(/^ {2}tags +constructor=a, toString=b=c$/m);
  });

  it("tells what a record hangs on", async () => {
    const at = "--store links.db";
    await run(`customer create acme --budget 1/1M ${at}`);
    await run(`project create search --customer acme --budget 2/1M ${at}`);
    await run(`key create app --allow * --project search ${at}`);
    expect((await run(`customer delete acme ${at}`)).err).toMatch(/still has 1 project\./);
    expect((await run(`key list --project search ${at}`)).out).toContain("app");
    const { out } = await run(`key show app ${at}`);
    expect(out).toMatch(/^ {2}project +\$2 per 1M/m);
    expect(out).toMatch(/^ {2}customer +\$1 per 1M/m);
    expect((await run(`customer show acme ${at}`)).out).toMatch(/^ {2}customer +\$1 per 1M +\$0 +\$1 /m);
  });

  it("sums what was used by a record that was deleted, by its id", async () => {
    const at = "--store deleted.db";
    await run(`customer create acme ${at}`);
    const id = /cus_\w+/.exec((await run(`customer list ${at}`)).out)?.[0] ?? "";
    const store = sqliteStore(join(folder, "deleted.db"));
    const attempts = [anAttempt({ at: Date.UTC(2026, 10, 19), prompt_tokens: 4_711 })];
    await store.ledger.append([anEntryOf({ at: Date.UTC(2026, 10, 19), customer_id: id, attempts })]);
    await store.close();
    await run(`customer delete acme ${at}`);
    const { exitCode, out } = await run(`usage --customer ${id} --csv ${at}`);
    expect([exitCode, out]).toEqual([0, expect.stringContaining("4711")]);
    const named = await run(`usage --by customer ${at} --from 2026-11-01 --to 2026-11-30`);
    expect(named.out).toMatch(/^ {2}acme +1 /m);
    expect((await run(`usage --key ${id} ${at}`)).err).toContain(`There is no key with the id or name ${id}.`);
  });

  it("limits one provider of a key", async () => {
    const at = "--store entry.db";
    await run(`key create app --allow openai/* --allow groq/* ${at}`);
    expect((await run(`key limit app --provider groq --requests 5/1m ${at}`)).exitCode).toBe(0);
    expect((await run(`key show app ${at}`)).out).toMatch(/^ {2}entry groq +5 requests per 1m/m);
    expect((await run(`key limit app --provider xai --requests 5/1m ${at}`)).err).toContain("It has: openai, groq.");
    expect((await run(`key list ${at}`)).out).toContain("  groq: 5 requests per 1m");
    const { out } = await run(`key limit app --budget 1/1d ${at}`);
    expect(out).toMatch(/^ {2}limits +\$1 per 1d, groq: 5 requests per 1m$/m);
  });

  it("shows a name without what a terminal would obey", async () => {
    const at = "--store escapes.db";
    const store = sqliteStore(join(folder, "escapes.db"));
    const engine = createEngine({ providers: [{ name: "nobody" }], store });
    const { id } = await engine.projects.create({ name: "a\u001b]0;owned\u0007b" });
    await engine.close();
    for (const verb of ["disable", "enable", "delete"])
      expect((await run(`project ${verb} ${id} ${at}`)).out).toBe(`The project a ]0;owned b (${id}) is ${verb}d.\n`);
  });
});

it("the ledger forgets what is older than the configuration keeps, and sums apart", async () => {
  const day = 86_400_000;
  const now = 100 * day;
  const store = memoryStore();
  const engine = createEngine({ providers: [{ name: "nobody" }], store });
  const entries = [5, 50, 95].map((at) => anEntryOf({ at: at * day, attempts: [anAttempt({ at: at * day })] }));
  await store.ledger.append(entries);
  const told: unknown[] = [];
  const log = { info: (...line: unknown[]) => told.push(line), error: (...line: unknown[]) => told.push(line) };
  await forgetOld({ engine, log: log as never, rules: { keepDays: 30, keepSumsDays: 90 }, now: () => now });
  expect((await store.ledger.entries({ limit: 9 })).entries).toHaveLength(1);
  expect((await store.ledger.query({ from: 0, to: now }))[0]?.requests).toBe(2);
  expect(told).toEqual([[{ entries: 1 }, "forgot old requests"]]);
});
