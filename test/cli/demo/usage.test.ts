import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../adapters/stores/sqlite/index.ts";
import { runProgram } from "../../../src/cli/run-program.ts";
import { anAttempt, anEntryOf } from "../../adapters/support/entries.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 20, 15);
const at = (day: number, hours = 12) => Date.UTC(2026, 10, day) + hours * hour;

/** A store with requests of some days of November, of which those before an instant are forgotten. */
async function keep(days: readonly number[], before: number) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-usage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { ledger, close } = sqliteStore(join(folder, "tollgate.db"));
  const entries = days.flatMap((day) => [at(day, 10), at(day, 14)].map((time) => ({ at: time, user: "ann" })));
  await ledger.append(entries.map((one) => anEntryOf({ ...one, attempts: [anAttempt({ at: one.at })] })));
  await ledger.prune({ before });
  await close();
  return async (line: string, config = "{}") => {
    writeFileSync(join(folder, "tollgate.config.json"), config);
    const terminal = fakeTerminal({ folder, now: () => now });
    const exitCode = await runProgram(["usage", ...line.split(" ").filter(Boolean)], terminal, () => "1");
    return { exitCode, ...terminal.written };
  };
}

const missing = (day: string) =>
  `tollgate: Single requests from before ${day} were pruned (\`ledger.keepDays\`) and are missing here: sums by day, which stay, ` +
  "know neither user, status, reason and cache nor parts of a day; --by day over whole days has them.\n";

describe("usage of which single requests were forgotten", () => {
  it.each(["user", "status", "reason", "cache"])(
    "by %s says what is missing, and not that nothing was used",
    async (word) => {
      const usage = await keep([2, 3, 4], at(10));
      expect(await usage(`--by ${word}`)).toEqual({
        exitCode: 0,
        out: "Of what was used, nothing is kept.\n",
        err: missing("2026-11-05"),
      });
      expect(await usage("--by day")).toMatchObject({ err: "", out: expect.stringContaining("total       6") });
    },
  );

  it("names the first day of which nothing is missing", async () => {
    const usage = await keep([2, 8, 9, 12, 16], at(9));
    const { out, err } = await usage("--by user");
    expect(err).toBe(missing("2026-11-10"));
    expect(out).toContain("ann   5 ");
    expect((await usage("--by day --by user --csv")).err).toBe(missing("2026-11-10"));
    expect((await usage("--by user --from 2026-11-10")).err).toBe("");
  });

  it("says so of parts of days", async () => {
    const usage = await keep([2, 12, 16], at(10));
    expect(await usage("--from 2026-11-02T13:00:00Z")).toMatchObject({ err: missing("2026-11-03") });
    expect(await usage("--to 2026-11-02T13:00:00Z")).toMatchObject({ err: missing("2026-11-03") });
    expect(await usage("--from 2026-11-02 --to 2026-11-16T13:00:00Z")).toMatchObject({ err: "" });
    expect(await usage("--from 2026-11-12T13:00:00Z --by model")).toMatchObject({ err: "" });
  });

  it("is quiet about today, and where nothing was forgotten", async () => {
    const usage = await keep([19, 20], at(20));
    expect(await usage("")).toMatchObject({ err: "", out: expect.stringContaining("total       4") });
    expect((await (await keep([2, 3], 0))("--by user")).err).toBe("");
    expect(await (await keep([], 0))("--by user")).toMatchObject({ out: "Nothing was used.\n", err: "" });
  });

  it("tells what is not even kept in sums by day", async () => {
    const usage = await keep([16], 0);
    const config = '{ "ledger": { "keepSumsDays": 7 } }';
    expect((await usage("", config)).err).toBe(
      "tollgate: `ledger.keepSumsDays` keeps nothing from before 2026-11-13.\n",
    );
    expect((await usage("--from 2026-11-14", config)).err).toBe("");
  });
});

describe("a span of usage", () => {
  it("that has not begun is told as such", async () => {
    const usage = await keep([], 0);
    expect(await usage("--from 2026-12-01")).toEqual({
      exitCode: 2,
      out: "",
      err: "tollgate: --from is in the future. Without --to, the report ends now.\n",
    });
    expect((await usage("--from 2026-11-03 --to 2026-11-02")).err).toBe("tollgate: --from must be before --to.\n");
  });
});
