import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { endTwoWorkers, startTwoWorkers, tellStoryOfTwoWorkers } from "./workers-story.ts";

const workers = startTwoWorkers(async () => ({ lines: "store: tollgate.db\n" }));

/** Event ids of all rows of the ledger. */
async function readRows(): Promise<readonly string[]> {
  const store = sqliteStore(join(workers.folder, "tollgate.db"));
  const { entries } = await store.ledger.entries({ limit: 1_000 });
  await store.close();
  return entries.map(({ id }) => id);
}

describe("a gateway of two workers over one file", () => {
  tellStoryOfTwoWorkers(workers);

  it("has one row for each answer, whichever worker gave it, also while workers are killed", async () => {
    const received: string[] = [];
    const askOnce = async () => {
      const answer = await workers.ask(workers.gateway().firstKey ?? "").catch(() => undefined);
      const body = await answer?.json().catch(() => undefined);
      if (answer?.status === 200 && body !== undefined) received.push(answer.headers.get("x-tg-event-id") ?? "");
    };
    for (let round = 0; round < 2; round++) {
      const asking = Array.from({ length: 40 }, askOnce);
      await workers.kill(round);
      await Promise.all(asking);
      await workers.untilTwo();
    }
    const rows = await readRows();
    expect(received.length).toBeGreaterThan(0);
    expect(received.filter((id) => !rows.includes(id))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it("ends its workers when the supervisor is killed, and knows what was spent when it is started again", async () => {
    const key = await workers.createSpender("0.02/1d");
    const first = await Promise.all(Array.from({ length: 3 }, () => workers.ask(key)));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    const pids = workers.workerPids();
    workers.gateway().process.kill("SIGKILL");
    await workers.gateway().ended;
    await expect.poll(() => pids.filter(isAlive), { timeout: 30_000 }).toEqual([]);
    await workers.serveAgain();
    const then = await Promise.all(Array.from({ length: 10 }, () => workers.ask(key)));
    expect(then.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(7).fill(402)]);
  });

  it("refuses a second gateway on the file", async () => {
    const { exitCode, err } = await workers.run("serve", "--workers", "2", "--port", "0");
    expect(exitCode).toBe(1);
    expect(err).toContain("is in use by another gateway");
  });

  endTwoWorkers(workers);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
