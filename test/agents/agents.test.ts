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
import { seal } from "./script.ts";
import { startScriptedVendor } from "./scripted-vendor.ts";

const answer = "The note is copied.";

/** What one call costs at the rates of the configuration, in nano-dollars. */
const costOfCall = 2_100_000;

/** A configuration with the scripted vendor as several providers, and one price for all models. */
function writeGateway(folder: string, url: string): void {
  const price = "{ input_cost_per_token: 0.000001, output_cost_per_token: 0.0001, max_output_tokens: 30 }";
  const models = new Set(cases.map(({ model }) => model));
  const lines = [
    "discover: false",
    "providers:",
    `  lab: { baseUrl: "${url}/v1", apiKey: "sk-lab" }`,
    `  anthropic: { baseUrl: "${url}", apiKey: "sk-lab" }`,
    `  gemini: { baseUrl: "${url}", apiKey: "sk-lab" }`,
    "prices:",
    ...[...models].map((model) => `  ${model}: ${price}`),
  ];
  writeFileSync(join(folder, "tollgate.config.yaml"), lines.join("\n"));
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
  function runAgent(program: Command, { interface: face, model }: Case, served: Served): Promise<Ended> {
    const home = join(folder, "home");
    const access = { address: served.address, key: served.firstKey ?? "" };
    const launch = agents[name].launch({ home, interface: face, model, ...access, prompt: "Copy the note." });
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
    const vendor = await startScriptedVendor({ tool, arguments: wanted.argumentsOf(note), answer });
    writeGateway(join(folder, "gateway"), vendor.url);
    const served = await serveFolder(join(folder, "gateway"), {});
    const { code, out, err } = await runAgent(installed.command, wanted, served);
    vendor.close();

    expect({ code, out }, `${err}${served.out()}`).toEqual({ code: 0, out: expect.stringContaining(answer) });
    const [first, second, ...more] = vendor.asked.filter(({ tools }) => tools.length > 0);
    expect(first?.tools).toContain(tool);
    expect(second?.calls).toEqual([{ id: second?.results[0]?.id, text: tool }]);
    expect(second?.results.map(({ text }) => text)).toEqual([expect.stringContaining(wanted.resultOf(note))]);
    expect(second?.seals).toEqual(wanted.isSealed ? [seal] : []);
    expect(more).toEqual([]);
    expect(readFileSync(join(folder, "home/work/copy.txt"), "utf8").trim()).toBe(note);
    const requests = vendor.asked.length; // with side questions, such as the one for a title
    expect(await readLedger()).toMatchObject([
      { group: { model }, requests, failures: 0, cost: requests * costOfCall },
    ]);
  });
});
