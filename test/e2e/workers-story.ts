import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { endAll, start } from "./command-line.ts";
import { answerWell, askLab, configOf, type Served, serveFolder, startVendor } from "./governed-serve.ts";
import { type HeldStreams, holdStreams } from "./held-streams.ts";
import { buildIfNeeded } from "./packed.ts";

/** What two workers share. */
export interface SharedParts {
  /** Lines of the configuration. */
  readonly lines: string;
  readonly env?: Record<string, string>;
  readonly stop?: () => Promise<void>;
}

/** Two workers, and how a test works with them. */
export interface TwoWorkers {
  readonly folder: string;
  gateway(): Served;
  /** The processes that the supervisor started. */
  workerPids(): readonly number[];
  /** Kills a worker, the oldest or the next; resolves with its process once the supervisor knows. */
  kill(which?: number): Promise<number>;
  /** Waits until two workers serve again. */
  untilTwo(): Promise<void>;
  run(...line: string[]): Promise<{ readonly exitCode: number | null; readonly out: string; readonly err: string }>;
  /** Makes a key of a hard budget in dollars a day; an answer costs $0.00301. */
  createSpender(budget: string): Promise<string>;
  /** Asks over a connection of its own, so that both workers have some. */
  ask(key: string): Promise<Response>;
  /** Streams of the vendor, which wait in the middle. */
  readonly streams: HeldStreams;
  /** Serves the folder again. */
  serveAgain(): Promise<void>;
}

const closing = { connection: "close" };

/** Starts two workers before the tests of a file, and ends them after. */
export function startTwoWorkers(share: () => Promise<SharedParts>): TwoWorkers {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-workers-"));
  const processFile = join(folder, "gateway.pid");
  let env: Record<string, string> = { LAB_SECRET: "sk-lab-0123456789", TOLLGATE_SECRET: "the same for all workers" };
  const streams = holdStreams();
  let parts: SharedParts | undefined;
  let vendor: Awaited<ReturnType<typeof startVendor>> | undefined;
  let gateway: Served | undefined;
  const served = (): Served => {
    if (!gateway) throw new TypeError("The gateway is not up.");
    return gateway;
  };
  const run: TwoWorkers["run"] = async (...line) => {
    const { ended, out, err } = start(line, { folder, env });
    return { exitCode: await ended, out: out(), err: err() };
  };
  const workers: TwoWorkers = {
    ...{ folder, streams },
    gateway: served,
    workerPids() {
      const { pid } = served().process;
      return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    },
    async kill(which = 0) {
      const pid = workers.workerPids()[which] ?? 0;
      process.kill(pid, "SIGKILL");
      await served().until(new RegExp(`Worker \\d \\(process ${pid}\\) ended by SIGKILL; another one is started`));
      return pid;
    },
    async untilTwo() {
      const startsOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
      await vi.waitFor(
        () => {
          const ended = startsOf(served().err(), /^tollgate: Worker \d+ \(process \d+\) ended/gm);
          expect(startsOf(served().out(), /"msg":"listening"/g)).toBe(2 + ended);
          expect(workers.workerPids()).toHaveLength(2);
        },
        { timeout: 60_000, interval: 50 },
      );
    },
    run,
    async createSpender(budget) {
      const { out } = await run(
        "key",
        "create",
        `spender of ${budget}`,
        "--allow",
        "lab/*",
        "--budget",
        budget,
        "--hard",
      );
      return /sk-tg-\w+/.exec(out)?.[0] ?? "";
    },
    ask: (key) => askLab(served().address, key, closing),
    async serveAgain() {
      gateway = await serveFolder(folder, env, "--workers", "2", "--pid-file", processFile);
      await workers.untilTwo();
    },
  };
  beforeAll(async () => {
    buildIfNeeded();
    vendor = await startVendor((request, response) =>
      request.headers.accept === "text/event-stream" ? streams.answer(response) : answerWell(request, response),
    );
    parts = await share();
    env = { ...env, ...parts.env };
    writeFileSync(join(folder, "tollgate.config.yaml"), configOf(vendor.url, `${parts.lines}metrics: { port: 0 }\n`));
    await workers.serveAgain();
  }, 300_000);
  afterAll(async () => {
    endAll();
    vendor?.close();
    await parts?.stop?.();
    rmSync(folder, { recursive: true });
  });
  return workers;
}

/** What holds for two workers, whatever they share. */
export function tellStoryOfTwoWorkers(workers: TwoWorkers): void {
  const firstKey = () => workers.gateway().firstKey ?? "";
  const askTimes = (count: number, key: string) => Promise.all(Array.from({ length: count }, () => workers.ask(key)));

  it("prints one start and makes one first key, which both take", async () => {
    expect(
      workers
        .gateway()
        .err()
        .match(/Listening on /g),
    ).toHaveLength(1);
    expect(workers.gateway().err()).toContain("Starting 2 workers.");
    expect((await askTimes(8, firstKey())).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it("spends a hard budget to the last call that fits, whichever worker answers", async () => {
    const answers = await askTimes(30, await workers.createSpender("0.01/1d"));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(27).fill(402)]);
  });

  it("has one page of metrics, whose samples tell the worker", async () => {
    const [, page = ""] = /Metrics of all workers for Prometheus are at (\S+)\.\n/.exec(workers.gateway().err()) ?? [];
    await vi.waitFor(async () => {
      const text = await (await fetch(page)).text();
      expect(text).toMatch(/\{worker="1"/);
      expect(text).toMatch(/\{worker="2"/);
      const described = text.split("\n").filter((line) => line.startsWith("# TYPE"));
      expect(new Set(described).size).toBe(described.length);
    });
  });

  it("takes a configuration over in every worker, or in none", async () => {
    const file = join(workers.folder, "tollgate.config.yaml");
    const processFile = join(workers.folder, "gateway.pid");
    const former = readFileSync(file, "utf8");
    const next = former.replace("0.0001,", "0.0002,");
    expect(next).not.toBe(former);
    writeFileSync(file, next);
    expect(await workers.run("reload", "--pid-file", processFile)).toMatchObject({ exitCode: 0 });
    writeFileSync(file, "providers: { lab: { baseUrl: 7 } }\n");
    const refused = await workers.run("reload", "--pid-file", processFile);
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining("The former configuration stays.") });
    writeFileSync(file, next);
    const costs = await Promise.all((await askTimes(6, firstKey())).map(readCost));
    expect(new Set(costs)).toEqual(new Set([0.00601]));
    writeFileSync(file, former);
    expect(await workers.run("reload", "--pid-file", processFile)).toMatchObject({ exitCode: 0 });
  });

  it("replaces a worker that is killed, and goes on answering meanwhile", async () => {
    const victim = await workers.kill();
    expect((await workers.ask(firstKey())).status).toBe(200);
    await workers.untilTwo();
    expect(workers.workerPids()).not.toContain(victim);
  });

  it("passes off no half stream of a killed worker as whole, and ends those of the other one", async () => {
    const { streams } = workers;
    let begun = 0;
    const reading = Array.from({ length: 12 }, () => readStream(workers, firstKey(), () => begun++));
    await vi.waitFor(() => expect(begun).toBe(12), { timeout: 30_000 }); // each client has its half
    await workers.kill();
    await workers.untilTwo();
    streams.release();
    const read = await Promise.all(reading);
    for (const { text, isEnded } of read) {
      // Whichever worker had them: a stream that goes on is whole, another one breaks off.
      expect(text).toContain("Half");
      expect(text.includes("[DONE]")).toBe(text.includes("an answer"));
      expect(isEnded).toBe(text.includes("[DONE]"));
    }
  });
}

/** The end of both workers, and the lines of their log. */
export function endTwoWorkers(workers: TwoWorkers): void {
  it("ends all workers with itself", async () => {
    const pids = workers.workerPids();
    workers.gateway().process.kill("SIGTERM");
    expect(await workers.gateway().ended).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    const lines = workers.gateway().out().split("\n").filter(Boolean);
    expect(lines.map((line) => JSON.parse(line)).length).toBeGreaterThan(0);
  });
}

async function readCost(answer: Response): Promise<number | undefined> {
  return ((await answer.json()) as { usage?: { cost?: { total_cost?: number } } }).usage?.cost?.total_cost;
}

/** Reads a stream to its end, or to where it breaks; `onHalf` is called once its first half is there. */
async function readStream(
  workers: TwoWorkers,
  key: string,
  onHalf: () => void,
): Promise<{ readonly text: string; readonly isEnded: boolean }> {
  const answer = await fetch(`${workers.gateway().address}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...closing },
    body: JSON.stringify({ model: "lab/m", stream: true, messages: [{ role: "user", content: "How are you?" }] }),
  });
  let text = "";
  try {
    for await (const piece of answer.body ?? []) {
      const had = text.includes("Half");
      text += Buffer.from(piece).toString();
      if (!had && text.includes("Half")) onHalf();
    }
    return { text, isEnded: true };
  } catch {
    return { text, isEnded: false };
  }
}
