import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { runProgram } from "../../../src/cli/run-program.ts";
import { createEngine } from "../../../src/index.ts";
import { scriptedEngine, scriptedProviders } from "../../../src/testing/index.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

interface Refusal {
  readonly code?: string;
  readonly param?: string;
  readonly message: string;
}

async function refusalOf(work: () => unknown): Promise<Refusal> {
  try {
    await work();
  } catch (thrown) {
    return thrown as Refusal;
  }
  throw new Error("nothing was refused");
}

const engine = scriptedEngine({ "a/m": [{ kind: "answer", text: "x" }] }, { store: memoryStore() });
const messages = [{ role: "user" as const, content: "Hi" }];
const a = { name: "a" };
const chatWith = (options: object) => engine.chat({ model: "a/m", messages }, options);
const withMiddleware = (fields: object) => ({ name: "m", request: () => {}, ...fields });

/** Every other entry that takes options or fields: what it is called with, the field at fault and the one that was meant. */
const others: [entry: string, work: () => unknown, param: string, meant: string][] = [
  ["createEngine", () => createEngine({ provders: [a] } as never), "provders", "providers"],
  ["createEngine", () => createEngine({ providers: [a], timeuots: {} } as never), "timeuots", "timeouts"],
  [
    "createEngine",
    () => createEngine({ providers: [a], timeouts: { frstContent: 1 } } as never),
    "timeouts.frstContent",
    "firstContent",
  ],
  ["createEngine", () => createEngine({ providers: [a], retry: { retrys: 1 } } as never), "retry.retrys", "retries"],
  ["createEngine", () => createEngine({ providers: [a], circuit: { opnMs: 1 } } as never), "circuit.opnMs", "openMs"],
  [
    "createEngine",
    () => createEngine({ providers: [a], concurrency: { maxInFligth: 1 } } as never),
    "concurrency.maxInFligth",
    "maxInFlight",
  ],
  ["createEngine", () => createEngine({ providers: [a], hedge: { after_m: 1 } } as never), "hedge.after_m", "after_ms"],
  [
    "createEngine",
    () => createEngine({ providers: [a], middleware: [withMiddleware({ onEror: "open" })] } as never),
    "middleware.0.onEror",
    "onError",
  ],
  ["reconfigure", () => engine.reconfigure({ providers: [a], recovry: "error" } as never), "recovry", "recovery"],
  ["scriptedEngine", () => scriptedEngine({ "a/m": [] }, { requireKeys: true } as never), "requireKeys", "requireKey"],
  [
    "scriptedProviders",
    () => scriptedProviders({ "a/m": [{ kind: "answer", tetx: "" }] } as never),
    "a/m.0.tetx",
    "text",
  ],
  ["a call", () => chatWith({ singal: undefined, timeuots: {} }), "timeuots", "timeouts"],
  [
    "a call",
    () => chatWith({ middleware: [withMiddleware({ aplies: () => true })] }),
    "middleware.0.aplies",
    "applies",
  ],
  ["close", () => createEngine({ providers: [a] }).close({ gracMs: 1 } as never), "gracMs", "graceMs"],
  ["keys.create", () => engine.keys.create({ name: "k", budgts: [] } as never), "budgts", "budgets"],
  ["keys.create", () => engine.keys.create({ name: "k", alow: ["*"] } as never), "alow", "allow"],
  [
    "keys.create",
    () => engine.keys.create({ name: "k", allow: ["*"], requets: "1/1m" } as never),
    "requets",
    "requests",
  ],
  [
    "keys.create",
    () => engine.keys.create({ name: "k", provider_configs: [{ provider: "a", allowed_model: [] }] } as never),
    "provider_configs.0.allowed_model",
    "allowed_models",
  ],
  [
    "keys.create",
    () => engine.keys.create({ name: "k", budgets: [{ max_limt: 1, reset_duration: "1M" }] } as never),
    "budgets.0.max_limt",
    "max_limit",
  ],
  [
    "projects.create",
    () => engine.projects.create({ name: "p", customerid: "c" } as never),
    "customerid",
    "customer_id",
  ],
  ["customers.create", () => engine.customers.create({ name: "c", llm: [] } as never), "llm", "llms"],
];

describe("a field that is nearly one of ours", () => {
  it.each(others)("of %s is refused by its name, with the one that was meant (case %#)", async (...row) => {
    const [, work, param, meant] = row;
    const refusal = await refusalOf(work);
    expect(["invalid_configuration", "invalid_request"]).toContain(refusal.code);
    expect({ param: refusal.param, message: refusal.message }).toEqual({
      param,
      message: expect.stringContaining(`did you mean \`${meant}\`?`),
    });
  });

  it("is both a word of the command line and a record's own: the pair is refused", async () => {
    const both = { name: "k", budget: "1/1M", budgets: [] };
    expect(await refusalOf(() => engine.keys.create(both as never))).toMatchObject({ param: "budget" });
  });
});

const folder = mkdtempSync(join(tmpdir(), "tollgate-near-names-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
async function run(...line: string[]) {
  const terminal = fakeTerminal({ folder });
  const exitCode = await runProgram(line, terminal, () => "1.2.3");
  return { exitCode, err: terminal.written.err };
}

describe("the command line", () => {
  it("names the option that was meant", async () => {
    const { exitCode, err } = await run("serve", "--prot", "1");
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining("Did you mean --port?") });
  });

  it("refuses an option that is there twice, unless it takes several", async () => {
    const { exitCode, err } = await run("serve", "--port", "1", "--port", "2");
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining("--port is there twice") });
  });
});

describe("a configuration file", () => {
  it.each([
    ["json", '{ "provders": {} }', "provders", "providers"],
    ["json", '{ "server": { "prot": 1 } }', "server.prot", "port"],
    ["json", '{ "cache": { "thresold": 1 } }', "cache.thresold", "threshold"],
    ["yaml", "retry: { retrys: 1 }\n", "retry.retrys", "retries"],
    ["yaml", "providers: { openai: { apiKy: x } }\n", "providers.openai.apiKy", "apiKey"],
  ])("%s: %s", async (...row) => {
    const [ending, text, param, meant] = row;
    const file = `near.${ending}`;
    writeFileSync(join(folder, file), text);
    const { exitCode, err } = await run("serve", "--check", "--config", file);
    expect(exitCode).toBe(1);
    expect(err).toContain(`\`${param}\``);
    expect(err).toContain(`did you mean \`${meant}\`?`);
  });

  it.each([
    ["json", '{ "order": "cost", "order": "weight" }'],
    ["yaml", "order: cost\norder: weight\n"],
  ])("%s with a name twice is refused", async (ending, text) => {
    const file = `twice.${ending}`;
    writeFileSync(join(folder, file), text);
    expect((await run("serve", "--check", "--config", file)).exitCode).toBe(1);
  });
});

it("a middleware may have members of its own, as long as none stands in for a field of ours", () => {
  for (const own of [{ requests: 0 }, { verbose: true }, { state: new Map() }, { count: 1, apply: () => {} }])
    expect(() => createEngine({ providers: [a], middleware: [withMiddleware(own)] } as never)).not.toThrow();
});
