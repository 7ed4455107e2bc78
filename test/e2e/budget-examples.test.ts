import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { catalogue } from "../../adapters/prices/catalogue/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import { createEngine, isGatewayError } from "../../src/index.ts";
import { fakeClock } from "../../src/testing/clock.ts";
import { fakeTerminal } from "../cli/support/fake-terminal.ts";

const startAt = Date.parse("2026-11-20T12:00:00Z");

/** A command as it is printed: after `#` stands what it does, or, in help, after two spaces. */
function wordsOf(line: string): string[] {
  const [command = ""] = line.trim().split(/\s{2,}|\s+#/);
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
}

const isOfOwners = (line: string) => /^\s*tollgate (key|project|customer) (create|limit|reset) /.test(line);

function linesOfPage(page: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```sh\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, block = ""]) => block.split("\n")).filter(isOfOwners);
}

async function linesOfHelp(command: string): Promise<string[]> {
  const terminal = fakeTerminal({});
  await runProgram([...command.split(" "), "--help"], terminal, () => "1");
  return terminal.written.out.split("\n").filter(isOfOwners);
}

const pages = ["README.md", ...readdirSync("docs").map((name) => join("docs", name))].filter((name) =>
  name.endsWith(".md"),
);
const commands = ["key", "project", "customer"].flatMap((word) => [`${word} create`, `${word} limit`, `${word} reset`]);

/** Where the lines of a page run, one after the other. */
interface Place {
  readonly folder: string;
  /** What a command prints. */
  run(words: readonly string[]): Promise<string>;
  /** The owners that are there, as `key app`. */
  readonly owners: Set<string>;
}

function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-examples-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = async (words: readonly string[]) => {
    const terminal = fakeTerminal({ folder, now: () => startAt });
    const code = await runProgram(words, terminal, () => "1");
    expect([words, code === 0 || terminal.written.err]).toEqual([words, true]);
    return terminal.written.out;
  };
  return { folder, run, owners: new Set() };
}

/** Makes the owner that a line speaks of, where no line before it did. */
async function prepare({ run, owners }: Place, [, word = "", verb, name = ""]: readonly string[]) {
  const isMissing = verb !== "create" && !owners.has(`${word} ${name}`);
  owners.add(`${word} ${name}`);
  if (!isMissing) return;
  const budgets = verb === "reset" ? ["--budget", "5/never", "--budget", "5/1M", "--requests", "100000/1d"] : [];
  await run([word, "create", name, ...(word === "key" ? ["--allow", "*"] : []), ...budgets]);
}

/** The value of a key that a line's budgets hold for. */
async function keyFor({ run }: Place, [, word, verb, name = ""]: readonly string[], printed: string): Promise<string> {
  if (word !== "key") return await run(["key", "create", `of-${name}`, "--allow", "*", `--${word}`, name]);
  return verb === "create" ? printed : await run(["key", "rotate", name]);
}

/** Asks gpt-5 with a key, each answer taking all that was asked for, until a budget refuses; what was served, and how limits stand. */
async function spend(file: string, key: string, dollars: number) {
  const clock = fakeClock({ startAt });
  const rate = catalogue().find("openai", "gpt-5", startAt)?.rates?.output_cost_per_token ?? Number.NaN;
  const most = Math.min(100_000, Math.floor(dollars / 50 / rate));
  const usage = { prompt_tokens: 2, completion_tokens: most, total_tokens: most + 2 };
  const store = sqliteStore(file);
  const engine = createEngine({
    clock,
    store,
    providers: [
      {
        name: "openai",
        chat: async (_request, { model }) => ({
          ...{ id: "c", object: "chat.completion", created: 1, model, usage },
          choices: [{ index: 0, finish_reason: "length", message: { role: "assistant", content: "ok" } }],
        }),
      },
    ],
  });
  let served = 0;
  let refusal: unknown;
  while (refusal === undefined && served < 100_000) {
    const request = {
      model: "openai/gpt-5",
      user: `u${served}`,
      messages: [{ role: "user" as const, content: "x" }],
      max_completion_tokens: most,
    };
    await engine.chat(request, { key }).then(
      () => void served++,
      (thrown: unknown) => {
        refusal = thrown;
      },
    );
    clock.advance(2_000);
  }
  const keys = await engine.keys.list({ limit: 100 });
  const limits = (await Promise.all(keys.items.map(({ id }) => engine.usage.limits(id)))).flat();
  await engine.close();
  await store.close();
  return { served, refusal, limits, callCost: most * rate };
}

/** The budgets that a line sets, in dollars, and whether it wants them hard. */
function promised(words: readonly string[]) {
  const budgets = words.flatMap((word, at) => (word === "--budget" ? [words[at + 1] ?? ""] : []));
  return budgets
    .filter((text) => /^\d/.test(text))
    .map((text) => ({ dollars: Number.parseFloat(text), isHard: words.includes("--hard") }));
}

async function tryLines(lines: readonly string[]): Promise<void> {
  const place = newPlace();
  let tried = 0;
  for (const line of lines) {
    const words = wordsOf(line);
    await prepare(place, words);
    const printed = await place.run(words.slice(1));
    for (const { dollars, isHard } of promised(words)) {
      const value = (await keyFor(place, words, printed)).trim();
      const copy = join(place.folder, `${tried}.db`); // what is spent of it must not be missing to the next line
      cpSync(join(place.folder, "tollgate.db"), copy);
      const { served, refusal, limits, callCost } = await spend(copy, value, dollars);
      expect([line, served > 0]).toEqual([line, true]);
      expect(isGatewayError(refusal) && refusal.code).toBe("budget_exceeded");
      const budgets = limits.flatMap(({ unit, max, used }) => (unit === "cost" ? [{ max, used }] : []));
      expect([line, budgets.map(({ max }) => max)]).toEqual([line, expect.arrayContaining([dollars])]);
      expect([line, budgets.some(({ max, used }) => used + 2 * callCost > max)]).toEqual([line, true]);
      for (const { used, max } of budgets) expect([line, used <= max + (isHard ? 0 : callCost)]).toEqual([line, true]);
      tried++;
    }
  }
}

describe("budgets in examples are served up to what they promise, and no further", () => {
  it.each(pages.filter((page) => linesOfPage(page).length > 0))("%s", async (page) => {
    await tryLines(linesOfPage(page));
  });

  it.each(commands)("tollgate %s --help", async (command) => {
    const lines = await linesOfHelp(command);
    expect(lines.length).toBeGreaterThan(0);
    await tryLines(lines);
  });

  it("README.md and the help of `key create` have such examples", async () => {
    const all = [...linesOfPage("README.md"), ...(await linesOfHelp("key create"))];
    expect(all.filter((line) => line.includes("--budget")).length).toBeGreaterThanOrEqual(3);
  });
});
