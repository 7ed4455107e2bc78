import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { type Opening, openServer } from "../../../src/server/open.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

/** What stderr says when a command line is run beside a configuration file of that text. */
async function run(text: string, line = "demo --store demo.db", files: Record<string, string> = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-origin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ ...files, "my.yaml": text }))
    writeFileSync(join(folder, name), content);
  const terminal = fakeTerminal({ folder });
  expect(await runProgram([...line.split(" "), "-c", "my.yaml"], terminal, () => "1")).toBe(1);
  return terminal.written.err;
}

const portal = "portal call GET /users --store made.db";

it.each([
  ["tiers: { gold: { llms: [5] } }", "`tiers.gold.llms.0`: "],
  ["uplift: { acme: [{ percent: much }] }", "`uplift.acme.0.percent`: "],
  ["backupPolicies: { hourly: { schedule: never } }", "`backupPolicies.hourly.schedule`: "],
  ["regions: { eu: { opnstack: {} } }", "`regions.eu.opnstack` is not a kind of back end; did you mean `openstack`?"],
])("a wrong setting of the portal is told with its file: %s", async (text, problem) => {
  expect(await run(`discover: false\n${text}`)).toContain(`tollgate: my.yaml: ${problem}`);
});

it.each(["price lab/m", "plan local/echo"])("a wrong price is told by %s with the file that holds it", async (line) => {
  const wrong = '{ "lab/m": { "input_cost_per_token": "free" } }';
  const problem = "The price of lab/m cannot be used: input_cost_per_token must be a number of dollars";
  expect(await run(`discover: false\nprices: ${wrong}`, line)).toContain(`tollgate: my.yaml: ${problem}`);
  const beside = await run("discover: false\nprices: mine.json", line, { "mine.json": wrong });
  expect(beside).toContain(`tollgate: mine.json: ${problem}`);
  const misspelled = await run("prices: { lab/m: { input_cost_per_tokn: 1 } }", line);
  expect(misspelled).toContain("tollgate: my.yaml: `prices.lab/m.input_cost_per_tokn` is not known; did you mean");
});

it("a setting that only the engine understands is told with its file", async () => {
  const rule = "rules: [{ name: a, use: { model: nobody } }]";
  expect(await run(`discover: false\n${rule}`, "plan local/echo")).toContain("tollgate: my.yaml: `rules.0.use.model`");
});

it("what the file does not say is not laid to it", async () => {
  expect(await run("store: theirs.db", portal)).toMatch(/^tollgate: The store made\.db does not exist in /);
});

it("keys that are required and can be kept nowhere are told with the file that requires them, where there is one", async () => {
  const problem = "`requireKey` requires a store.";
  const told = await run("discover: false\nrequireKey: true", "serve --no-store --port 0");
  expect(told).toBe(`tollgate: my.yaml: ${problem}\n`);
  const opening = { options: { isOpen: false }, opened: { config: { requireKey: true } } };
  await expect(openServer(opening as Opening)).rejects.toMatchObject({ message: problem });
});
