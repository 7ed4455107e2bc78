import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endAll, start } from "../e2e/command-line.ts";
import { type Served, serveFolder } from "../e2e/governed-serve.ts";
import { agents } from "./agents.ts";
import { agentNames, type Case, cases } from "./cases.ts";
import { type Command, type Installed, installAgent } from "./install.ts";
import { type Ended, runProgram } from "./process.ts";
import { type ReadRequest, seals, type VendorName } from "./script.ts";
import { startScriptedVendor } from "./scripted-vendor.ts";

const answer = "The note is copied.";

/** What one call costs at the rates of the configuration, in nano-dollars. */
const costOfCall = 2_100_000;

/** A configuration with the scripted vendor as several providers, one price for all models, and what answers where `model` does not. */
function writeGateway(folder: string, url: string, { model, fallback }: Case): void {
  const price = "{ input_cost_per_token: 0.000001, output_cost_per_token: 0.0001, max_output_tokens: 30 }";
  const models = new Set(cases.flatMap((each) => [each.model, each.fallback ?? each.model]));
  const lines = [
    "discover: false",
    "providers:",
    `  lab: { baseUrl: "${url}/v1", apiKey: "sk-lab" }`,
    `  anthropic: { baseUrl: "${url}", apiKey: "sk-lab" }`,
    `  gemini: { baseUrl: "${url}", apiKey: "sk-lab" }`,
    `  openai: { baseUrl: "${url}/v1", apiKey: "sk-lab" }`,
    ...(fallback === undefined
      ? []
      : ["rules:", `  - { name: spare, when: { model: ${model} }, use: { fallbacks: [${fallback}] } }`]),
    "prices:",
    ...[...models].map((model) => `  ${model}: ${price}`),
  ];
  writeFileSync(join(folder, "tollgate.config.yaml"), lines.join("\n"));
}

/** The signatures that the vendor of the second turn gets: its own of the first turn, or what the vendor documents for calls of others. */
function sealsBackOf({ sealed, fallback }: Case): readonly string[] {
  if (fallback?.startsWith("gemini/")) return ["skip_thought_signature_validator"];
  return sealed === undefined || fallback !== undefined ? [] : [seals[sealed]];
}

describe.each(agentNames)("%s on tollgate serve", (name) => {
  let installed: Installed;
  let folder: string;
  let note: string;

  beforeAll(() => {
    installed = installAgent(name);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-agent-"));
    for (const part of ["gateway", "home/work", "tmp"]) mkdirSync(join(folder, part), { recursive: true });
    note = `note ${randomUUID()}`;
    writeFileSync(join(folder, "home/work/note.txt"), note);
  });
  afterEach(() => {
    endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the agent in its work folder. */
  function runAgent(program: Command, { interface: face, model, effort }: Case, served: Served): Promise<Ended> {
    const home = join(folder, "home");
    const access = { address: served.address, key: served.firstKey ?? "" };
    const launch = agents[name].launch({ home, interface: face, model, effort, ...access, prompt: "Copy the note." });
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { PATH: path, HOME: home, TMPDIR: join(folder, "tmp"), NO_COLOR: "1", TERM: "dumb", ...launch.env };
    return runProgram([...program, ...launch.arguments], { folder: join(home, "work"), env, deadlineMs: 60_000 });
  }

  /** The sums of the ledger. */
  async function readLedger(): Promise<unknown> {
    const usage = start(["usage", "--json", "--by", "model"], { folder: join(folder, "gateway") });
    await usage.ended;
    return JSON.parse(usage.out());
  }

  const own = cases.filter(({ agent }) => agent === name).map((wanted) => [wanted.title, wanted] as const);
  it.for(own)("%s, and the answer after it", async ([, wanted], context) => {
    if ("missing" in installed) return context.skip(installed.missing);
    const { tool, model } = wanted;
    const isDown = (name: VendorName, { results }: ReadRequest) =>
      wanted.fallback !== undefined && model.startsWith(name) && results.length > 0;
    const vendor = await startScriptedVendor({ tool, arguments: wanted.argumentsOf(note), answer, isDown });
    writeGateway(join(folder, "gateway"), vendor.url, wanted);
    const served = await serveFolder(join(folder, "gateway"), {});
    const { code, out, err } = await runAgent(installed.command, wanted, served);
    vendor.close();

    expect({ code, out }, `${err}${served.out()}`).toEqual({ code: 0, out: expect.stringContaining(answer) });
    const answered = vendor.asked.filter(({ isAnswered }) => isAnswered);
    const [first, second, ...more] = answered.filter(({ tools }) => tools.length > 0);
    expect(first?.tools).toContain(tool);
    expect(second?.calls).toEqual([{ id: second?.results[0]?.id, text: tool }]);
    expect(second?.results.map(({ text }) => text)).toEqual([expect.stringContaining(wanted.resultOf(note))]);
    expect(second?.seals).toEqual(sealsBackOf(wanted));
    expect(more).toEqual([]);
    expect(readFileSync(join(folder, "home/work/copy.txt"), "utf8").trim()).toBe(note);
    const rows = (await readLedger()) as { group: { model: string }; requests: number }[];
    expect(rows.map((row) => row.group.model).toSorted()).toEqual([model, wanted.fallback ?? []].flat().toSorted());
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(answered.length); // with side questions, such as the one for a title
    for (const row of rows) expect(row).toMatchObject({ failures: 0, cost_nano: row.requests * costOfCall });
  });
});
