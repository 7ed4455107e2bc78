import { describe, expect, it } from "vitest";
import { type Report, writeCsv, writeJson, writeTable } from "../../../src/cli/usage/report.ts";
import { reportRow, type UsageReportRow } from "../../../src/engine/metering/usage/report.ts";
import type { UsageRow } from "../../../src/engine/ports/ledger.ts";

function row(group: UsageRow["group"], change: Partial<UsageRow> = {}): UsageReportRow {
  const counts = {
    attempts: 2,
    prompt_tokens: 10,
    completion_tokens: 20,
    cached_read_tokens: 3,
    cached_write_tokens: 4,
  };
  const more = { requests: 1, failures: 0, cache_hits: 0, reasoning_tokens: 5, unpriced: 0, estimated: 0, latency: 9 };
  const saved = { saved: 7, saved_prompt_tokens: 6, saved_completion_tokens: 2 };
  return reportRow({ group, ...counts, ...more, cost: 1_500, ...saved, ...change });
}

const names = new Map([["vk_1", "ci"]]);
const report = (by: Report["by"], rows: readonly UsageReportRow[]): Report => ({ by, rows, names, isPartial: false });

describe("a table of usage", () => {
  it("names keys, sums up, and says what has no price", () => {
    const rows = [
      row({ key_id: "vk_1" }),
      row({ key_id: null }, { failures: 1, unpriced: 2, cost: 0 }),
      row({ key_id: "vk_gone" }),
    ];
    expect(writeTable(report(["key"], rows))).toBe(
      [
        "  KEY       REQUESTS  FAILED  TOKENS IN  CACHED  TOKENS OUT  COST        UNPRICED",
        "  ci        1         0       10         3       20          $0.0000015",
        "  (no key)  1         1       10         3       20          $0          2 without a price",
        "  vk_gone   1         0       10         3       20          $0.0000015",
        "  total     3         1       30         9       60          $0.000003   2 without a price",
        "",
      ].join("\n"),
    );
  });

  it("tells what came from the cache and was saved, where something did", () => {
    const rows = [row({ cache: "direct" }, { cache_hits: 4, saved: 2_000_000, cost: 0 }), row({ cache: null })];
    expect(writeTable(report(["cache"], rows))).toBe(
      [
        "  CACHE   REQUESTS  FAILED  TOKENS IN  CACHED  TOKENS OUT  COST        FROM CACHE  SAVED         SAVED TOKENS",
        "  direct  1         0       10         3       20          $0          4           $0.002        6 in, 2 out",
        "  -       1         0       10         3       20          $0.0000015  0           $0.000000007  6 in, 2 out",
        "  total   2         0       20         6       40          $0.0000015  4           $0.002000007  12 in, 4 out",
        "",
      ].join("\n"),
    );
  });

  it("names projects and customers, too, and tells those with one name apart", () => {
    const named = new Map([
      ["prj_1", "search"],
      ["prj_2", "search"],
      ["cus_1", "acme"],
    ]);
    const rows = ["prj_1", "prj_2"].map((project_id) => row({ project_id, customer_id: "cus_1", user: "cus_1" }));
    const lines = writeTable({ ...report(["project", "customer", "user"], rows), names: named }).split("\n");
    expect(lines.slice(1, 3).map((line) => line.trim().split(/ {2,}/).slice(0, 3))).toEqual([
      ["search (prj_1)", "acme", "cus_1"],
      ["search (prj_2)", "acme", "cus_1"],
    ]);
    const csv = writeCsv({ ...report(["customer", "project"], rows), names: named }).split("\r\n");
    expect(csv[0]).toMatch(/^customer,project,project_name,customer_name,requests,/);
    expect(csv[1]).toMatch(/^cus_1,prj_1,search,acme,1,/);
  });

  it("has no total of one line, and none of nothing", () => {
    expect(writeTable(report(["day"], [row({ day: "2026-11-20" })]))).not.toContain("total");
    expect(writeTable(report(["day"], []))).toBe("Nothing was used.\n");
    expect(writeTable({ ...report(["user"], []), isPartial: true })).toBe("Of what was used, nothing is kept.\n");
  });
});

describe("usage as JSON", () => {
  it("has dollars under `cost` and `saved`, and exact nano-dollars under names that say so", () => {
    const rows = [
      row({ key_id: "vk_1", day: "2026-11-20" }, { cost: 9_007_199_254_740_991 }),
      row({ key_id: "vk_gone" }),
    ];
    const [first, second] = JSON.parse(writeJson(report(["key", "day"], rows)));
    expect(first).toMatchObject({
      group: { key_id: "vk_1", day: "2026-11-20" },
      ...{ key_name: "ci", requests: 1, cost: 9_007_199.254_740_991, cost_nano: 9_007_199_254_740_991 },
      ...{ saved: 7e-9, saved_nano: 7 },
    });
    expect(second).toMatchObject({ cost: 0.000_001_5, cost_nano: 1_500 });
    expect(second).not.toHaveProperty("key_name");
  });
});

describe("usage as CSV", () => {
  it("has dollars to the nano-dollar, however many", () => {
    const costs = [0, 1, 1_000_000_000, 10_000_000_000, 1_230_000_000, 9_007_199_254_740_991];
    const lines = writeCsv(
      report(
        [],
        costs.map((cost) => row({}, { cost })),
      ),
    ).split("\r\n");
    const written = lines.slice(1, -1).map((line) => line.split(",").at(-2));
    expect(written).toEqual(["0", "0.000000001", "1", "10", "1.23", "9007199.254740991"]);
  });

  it("is quoted where it must be, and no formula of a spreadsheet", () => {
    const rows = [row({ user: 'a "b", c' }), row({ user: "=HYPERLINK(1)" }), row({ user: null })];
    const lines = writeCsv(report(["user"], rows)).split("\r\n");
    expect(lines).toEqual([
      "user,requests,failures,cache_hits,attempts,prompt_tokens,completion_tokens,cached_read_tokens,cached_write_tokens,reasoning_tokens,unpriced,estimated,saved_prompt_tokens,saved_completion_tokens,cost,saved",
      '"a ""b"", c",1,0,0,2,10,20,3,4,5,0,0,6,2,0.0000015,0.000000007',
      "'=HYPERLINK(1),1,0,0,2,10,20,3,4,5,0,0,6,2,0.0000015,0.000000007",
      ",1,0,0,2,10,20,3,4,5,0,0,6,2,0.0000015,0.000000007",
      "",
    ]);
  });
});
