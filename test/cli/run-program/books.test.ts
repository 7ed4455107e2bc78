import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

/** Command lines over one store, each with what it says. */
function openBooks() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-belongs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return async (line: string) => {
    const terminal = fakeTerminal({ folder });
    const exitCode = await runProgram(line.split(" "), terminal, () => "1");
    return { exitCode, ...terminal.written };
  };
}

const namesIn = (json: string) => JSON.parse(json).map(({ name }: { name: string }) => name);

it("the keys of a customer are its own and those of its projects", async () => {
  const run = openBooks();
  for (const customer of ["acme", "other"]) {
    await run(`customer create ${customer}`);
    await run(`project create ${customer}-search --customer ${customer}`);
    await run(`key create ${customer}-own --allow * --customer ${customer}`);
    await run(`key create ${customer}-app --allow * --project ${customer}-search`);
  }
  await run("key create nobodys --allow *");
  expect(namesIn((await run("key list --customer acme --json")).out)).toEqual(["acme-own", "acme-app"]);
  expect(namesIn((await run("key list --customer acme --project acme-search --json")).out)).toEqual(["acme-app"]);
  expect(namesIn((await run("key list --customer acme --project other-search --json")).out)).toEqual([]);
  expect(namesIn((await run("project list --customer acme --json")).out)).toEqual(["acme-search"]);
});

it("records are shown with the names of whom they belong to, and with the ids where several have one name", async () => {
  const run = openBooks();
  await run("customer create acme");
  await run("project create search --customer acme");
  await run("key create app --allow * --project search");
  await run("key create own --allow * --customer acme");
  expect((await run("key list")).out).toMatch(/app .* project search\n.*own .* customer acme\n/);
  expect((await run("project list")).out).toMatch(/ customer acme\n/);
  expect((await run("key show app")).out).toContain("  belongs to  project search\n");
  await run("project create search");
  expect((await run("key list")).out).toMatch(/app .* project search \(prj_[0-9a-z]+\)\n/);
});

it("usage of a model without its provider is refused, not told to be nothing", async () => {
  const run = openBooks();
  await run("key create ci --allow *");
  const { exitCode, err } = await run("usage --model gpt-5");
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: 'tollgate: --model must be provider/model, such as openai/gpt-5, not "gpt-5". --by model lists them.\n',
  });
  expect(await run("usage --model openai/gpt-5")).toEqual({ exitCode: 0, out: "Nothing was used.\n", err: "" });
});

it("a provider's name where a model's should be is told what it means, and what was most likely meant", async () => {
  const run = openBooks();
  const hint =
    "tollgate: --allow openai allows models named openai. To allow all models of the provider, use --allow 'openai/*'.\n";
  const made = await run("key create ci --allow openai --allow gpt-5");
  const unknown = "tollgate: openai matches no known model.";
  expect([made.exitCode, made.err.startsWith(hint + unknown), made.err.split("tollgate: ").length]).toEqual([
    0,
    true,
    3,
  ]);
  expect((await run("key allow ci --allow openai")).err.startsWith(hint + unknown)).toBe(true);
  expect((await run("key allow ci --allow openai/*")).err).toBe("");
});
