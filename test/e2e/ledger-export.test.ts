import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import type { LedgerEntry } from "../../src/engine/ports/ledger.ts";
import { endAll, start } from "./command-line.ts";
import { buildIfNeeded } from "./packed.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-export-"));
const day = Date.UTC(2026, 10, 20);
const perDay = 25_000;

function entryOf(number: number): LedgerEntry {
  const at = day + number * 3_456;
  const attempt: LedgerEntry["attempts"][number] = {
    ...{ at, provider: "lab", model: "lab/m", status: 200, reason: "ok", latency: 7, completion_tokens: 3 },
    ...{ prompt_tokens: number, cached_read_tokens: 1, cached_write_tokens: 0, reasoning_tokens: 0 },
    ...{ cost: number * 1_000, items: [], is_estimated: false, is_unpriced: false },
  };
  const failed: typeof attempt = {
    ...attempt,
    provider: "other",
    model: "other/m",
    status: 503,
    reason: "upstream_error",
    cost: 0,
  };
  return {
    ...{ id: `event_${number}`, at, request_type: "chat_completion", model_requested: "lab/m", status: 200 },
    ...{ reason: "ok", latency: 9.5, saved: 5, saved_prompt_tokens: 0, saved_completion_tokens: 0 },
    ...(number % 2 === 0 ? { key_id: "vk_1", metadata: { team: 'a, "b"' } } : {}),
    attempts: number % 10 === 0 ? [failed, attempt] : [attempt],
  };
}

beforeAll(async () => {
  buildIfNeeded();
  const store = sqliteStore(join(folder, "tollgate.db"));
  const entries = Array.from({ length: perDay + 5 }, (_, number) => entryOf(number)); // the last few are of the next day
  for (let at = 0; at < entries.length; at += 2_500) await store.ledger.append(entries.slice(at, at + 2_500));
  await store.close();
}, 300_000);
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true });
});

async function run(...line: string[]) {
  const { ended, out, err } = start(line, { folder });
  return { exitCode: await ended, out: out(), err: err() };
}

const readTable = async (name: string) => parquetReadObjects({ file: await asyncBufferFromFile(join(folder, name)) });

it("writes a day into Parquet files whose rows are those of the ledger", async () => {
  const written = await run("ledger", "export", "made", "--from", "2026-11-20", "--to", "2026-11-22");
  expect(written).toMatchObject({ exitCode: 0, err: "" });
  expect(written.out).toBe(
    "2026-11-20  25,000 requests  requests-2026-11-20.parquet, attempts-2026-11-20.parquet\n" +
      "2026-11-21  5 requests  requests-2026-11-21.parquet, attempts-2026-11-21.parquet\n",
  );
  const requests = await readTable("made/requests-2026-11-20.parquet");
  expect(requests).toHaveLength(perDay);
  expect(new Set(requests.map(({ id }) => id)).size).toBe(perDay);
  const cost = requests.reduce((sum, { cost_nano }) => sum + (cost_nano as bigint), 0n);
  expect(cost).toBe(BigInt((perDay * (perDay - 1)) / 2) * 1_000n);
  expect(requests.find(({ id }) => id === "event_10")).toMatchObject({
    ...{ at: new Date(day + 34_560), key_id: "vk_1", metadata: { team: 'a, "b"' }, status: 200, latency_ms: 9.5 },
    ...{ provider: "lab", attempts: 2, prompt_tokens: 20n, cost_nano: 10_000n, saved_nano: 5n },
  });
  expect(requests.find(({ id }) => id === "event_11")).toMatchObject({ metadata: null, user: null, attempts: 1 });
  const attempts = await readTable("made/attempts-2026-11-20.parquet");
  expect(attempts).toHaveLength(perDay + perDay / 10);
  expect(attempts.filter(({ request_id }) => request_id === "event_10")).toMatchObject([
    { number: 1, provider: "other", status: 503, reason: "upstream_error", cost_nano: 0n },
    { number: 2, provider: "lab", status: 200, cost_nano: 10_000n, items: [], is_unpriced: false },
  ]);
});

it("writes JSON lines as usage.entries has them", async () => {
  const line = ["ledger", "export", "lines", "--from", "2026-11-21", "--to", "2026-11-22", "--format", "jsonl"];
  expect(await run(...line)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(folder, "lines"))).toEqual(["requests-2026-11-21.jsonl"]);
  const rows = readFileSync(join(folder, "lines/requests-2026-11-21.jsonl"), "utf8").trimEnd().split("\n");
  expect(rows.map((row) => JSON.parse(row).id)).toEqual([4, 3, 2, 1, 0].map((number) => `event_${perDay + number}`));
});

it.each([
  [["--from", "2026-11-20T12:00"], "--from must be a day"],
  [["--from", "2026-11-22", "--to", "2026-11-22"], "--from must be before --to."],
  [["--format", "csv"], "--format"],
])("refuses %j and names the option", async (options, problem) => {
  const { exitCode, err } = await run("ledger", "export", "refused", ...options);
  expect([exitCode, err.includes(problem)]).toEqual([2, true]);
});
