import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

/** What stderr says to a command line that no record takes. */
async function refusalOf(words: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-given-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const terminal = fakeTerminal({ folder });
  const exitCode = await runProgram(words, terminal, () => "1");
  expect({ exitCode, out: terminal.written.out }).toEqual({ exitCode: 2, out: "" });
  return terminal.written.err;
}

const long = "a".repeat(5_000);

it.each([
  ["--budget must be at most 9000000.", ["--budget", "99999999999999999999/1M"]],
  ["--budget must be 0, or at least 0.000000001.", ["--budget", "0.0000000001/1d"]],
  ["--requests must be at most 1000000000000.", ["--requests", "1000000000001/1m"]],
  ["--tag is not a valid name: it must have at most 64 characters.", ["--tag", `${long}=1`]],
  ["--tag must have at most 512 characters.", ["--tag", `a=${long}`]],
  ["--description must have at most 2000 characters.", ["--description", long]],
  ["--user must have at most 256 characters.", ["--user", long]],
  ["--allow must have at most 256 characters.", ["--allow", long]],
  ["--allow must be a model's name, `provider/*` or `*`.", ["--allow", "*/gpt-5"]],
  ["--block must be a model's name, `provider/*` or `*`.", ["--block", "*/gpt-5"]],
  ["--provider must be at most 1000000.", ["--provider", "openai=9999999"]],
  ["The provider of --allow or --provider must be a provider's name or `*`.", ["--provider", "OpenAI"]],
  ["--expires must be after --starts.", ["--starts", "2027-01-01", "--expires", "2026-12-01"]],
  ["--starts is in the past; without it the key is valid from now on.", ["--starts", "2020-01-01"]],
  ["--whole must be at least 1 ms.", ["--whole", "0"]],
  ["--first-content must be at least 1 ms.", ["--first-content", "0"]],
])("what a key does not take is told by its option: %s", async (problem, options) => {
  expect(await refusalOf(["key", "create", "ci", "--allow", "*", ...options])).toBe(`tollgate: ${problem}\n`);
});

it("a name that is too long is told as the word that it is", async () => {
  expect(await refusalOf(["customer", "create", long])).toBe("tollgate: <name> must have at most 200 characters.\n");
});
