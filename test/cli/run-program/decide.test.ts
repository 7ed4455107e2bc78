import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const questions = { refund: { kind: "noul", instructions: "Is money asked back?" } };
/** Recorded answers that are much too sure of yes. */
const cases = Array.from({ length: 40 }, (_, at) => ({
  ...(at === 0 ? { questions } : {}),
  state: `case ${at}`,
  answers: { refund: at % 2 === 0 },
  recorded: { refund: { kind: "noul", method: "tokens", value: at % 2 === 0 ? 0.95 : 0.9 } },
}));

function program(lines: readonly unknown[]) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-decide-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(join(folder, "cases.jsonl"), `${text.join("\n")}\n`);
  return async (...words: string[]) => {
    const terminal = fakeTerminal({ folder, now: () => Date.parse("2026-11-20T12:00:00Z") });
    return { code: await runProgram(["decide", ...words], terminal, () => "1"), ...terminal.written };
  };
}

describe("tollgate decide", () => {
  it("fits maps to recorded answers, lists them and deletes them by name", async () => {
    const run = program(cases);
    const fitted = await run("calibrate", "cases.jsonl", "openai/gpt-4o");
    expect(fitted.code).toBe(0);
    expect(fitted.out).toMatch(/refund +tokens +40 +none/);
    expect(fitted.out).toMatch(/platt \*/);
    expect(fitted.out).toMatch(/Stored refund, version 1 \(cal_[\w-]{43}\)\./);
    expect(fitted.err.split("\n").filter((line) => line !== "")).toHaveLength(10);
    const again = await run("calibrate", "cases.jsonl", "openai/gpt-4o", "--json", "--kind", "temperature");
    expect(JSON.parse(again.out).reports[0]).toMatchObject({ calibration: { version: 2, kind: "temperature" } });
    const list = await run("list");
    expect(list.out).toMatch(/refund +2 +openai\/gpt-4o +tokens +temperature +40 +[\d.]+ → [\d.]+ +/);
    expect(JSON.parse((await run("list", "--json", "--model", "openai/other")).out)).toEqual([]);
    const other = await run("calibrate", "cases.jsonl", "openai/gpt-4o", "--permutations", "2");
    expect(other.out).toContain("Stored refund, version 1");
    const ambiguous = await run("delete", "refund");
    expect([ambiguous.code, ambiguous.err]).toEqual([1, expect.stringContaining("2 maps have the name refund")]);
    const ids = JSON.parse((await run("list", "--json")).out).map(({ id }: { id: string }) => id);
    expect((await run("delete", ids[1])).out).toContain("Deleted refund, version 1");
    expect((await run("delete", "refund")).out).toContain("Deleted refund, version 2");
    expect((await run("list")).out).toBe("No calibration maps.\n");
    expect((await run("delete", "refund")).err).toContain("no calibration map with the id or name refund");
  });

  it("asks the model about cases without a record, and says where that leads to nothing", async () => {
    const run = program(cases.map(({ recorded: _recorded, ...open }) => open));
    const { code, out } = await run("calibrate", "cases.jsonl", "local/echo");
    expect(code).toBe(0);
    expect(out).toContain("refund: the model's own probabilities are best; nothing was stored.");
    const few = program(cases.slice(0, 3));
    const { code: fewCode, out: fewOut } = await few("calibrate", "cases.jsonl", "openai/gpt-4o");
    expect([fewCode, fewOut]).toEqual([
      1,
      expect.stringContaining("3 labelled answers are too few; ten are the least."),
    ]);
  });

  it.each([
    [["{"], "cases.jsonl, line 1: is no JSON."],
    [["", "[]"], "cases.jsonl, line 2: must be an object."],
    [[""], "cases.jsonl has no cases."],
    [[{ state: "s", answers: { refund: true } }], "no line has `questions`"],
    [[{ questions: 1, answers: {} }], "line 1: `questions` must be an object"],
    [[cases[0], { questions: { refund: { kind: "noul" } }, answers: {} }], "line 2: the question `refund` differs"],
    [
      [cases[0], "", { state: "s", answers: { refund: "perhaps" } }],
      'cases.jsonl, line 3: `answers.refund`: "perhaps" is none',
    ],
    [[cases[0], { state: "s", answers: { other: true } }], "cases.jsonl, line 2: `answers.other`: is no question"],
  ])("refuses %j with the line", async (lines, message) => {
    const { code, err } = await program(lines)("calibrate", "cases.jsonl", "openai/gpt-4o");
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it("says which file it cannot read", async () => {
    const { code, err } = await program([])("calibrate", "nothing.jsonl", "openai/gpt-4o");
    expect([code, err]).toEqual([2, expect.stringContaining("nothing.jsonl cannot be read (ENOENT).")]);
  });
});
