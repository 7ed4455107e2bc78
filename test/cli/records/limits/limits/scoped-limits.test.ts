import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readLimits, writeLimits } from "../../../../../src/cli/records/limits/limits.ts";
import { runProgram } from "../../../../../src/cli/run-program.ts";
import { Budget, type VirtualKey } from "../../../../../src/engine/api/governance.ts";
import { fakeTerminal } from "../../../support/fake-terminal.ts";

it("limits of some models, of end users, of a zone's calendar and without an end stand beside the others", () => {
  const plain = readLimits({ budget: ["10/1M"] });
  const withModels = readLimits({ budget: ["2/1M"], "for-model": ["openai/*"], hard: true }, plain);
  const withUsers = readLimits({ budget: ["1/never"], requests: ["5/1d"], "end-user": "*" }, withModels);
  const all = readLimits(
    { budget: ["3/1w"], calendar: true, zone: "Europe/Berlin", "week-start": "sunday" },
    withUsers,
  );
  expect(writeLimits(all)).toEqual([
    "$10 per 1M",
    "$2 per 1M for openai/* (hard)",
    "$1 in all for each end user",
    "$3 per 1w (calendar Europe/Berlin weeks from sunday)",
    "5 requests per 1d for each end user",
  ]);
  for (const budget of all.budgets) expect(Budget.safeParse(budget)).toMatchObject({ success: true, data: budget });
  expect(writeLimits(readLimits({ budget: ["none"], "for-model": ["openai/*"] }, all))[1]).toBe(
    "$1 in all for each end user",
  );
  expect(writeLimits(readLimits({ budget: ["4/1M"], "for-model": ["openai/*"] }, all))[1]).toBe(
    "$4 per 1M for openai/* (hard)",
  );
});

it.each([
  [{ budget: ["1/1d"], zone: "UTC" }, "--zone needs --calendar."],
  [{ budget: ["1/1d"], "for-model": ["a*b"] }, '--for-model must be a model pattern, not "a*b".'],
  [{ budget: ["1/ever"] }, '--budget must be an amount per window, such as 10/1M, not "1/ever".'],
])("%j is refused", (values, message) => expect(() => readLimits(values)).toThrow(message));

it("a reset keeps its time and its reason with the limits, and needs the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-reset-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = async (...words: string[]) => {
    const terminal = fakeTerminal({ folder, now: () => Date.parse("2026-11-20T12:00:00Z") });
    return { code: await runProgram(words, terminal, () => "1"), ...terminal.written };
  };
  await run("key", "create", "app", "--allow", "*", "--budget", "5/never", "--budget", "1/1d", "--requests", "9/1d");
  expect(await run("key", "reset", "app")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--reason is required"),
  });
  expect((await run("key", "reset", "app", "--reason", "paid again", "--window", "never")).code).toBe(0);
  const { out } = await run("key", "show", "app", "--json");
  const { budgets, rate_limits } = JSON.parse(out) as VirtualKey;
  expect(budgets.map(({ reset_at, reset_reason }) => [reset_at, reset_reason])).toEqual([
    [expect.any(String), "paid again"],
    [undefined, undefined],
  ]);
  expect(rate_limits[0]?.reset_at).toBeUndefined();
  expect((await run("key", "reset", "app", "--reason", "x", "--window", "1Y")).err).toContain(
    "has no limit with the window `1Y`",
  );
  expect((await run("key", "show", "app")).out).toMatch(/\$5 in all .*never/);
});
