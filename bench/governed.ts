import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../adapters/stores/sqlite/index.ts";
import { createEngine } from "../src/index.ts";
import { cpuOfCalls, p50OfCalls, width } from "./calls.ts";
import { makeKey } from "./key.ts";
import { loadProcess } from "./load.ts";
import { type BenchProcess, startProcess } from "./processes/spawn.ts";
import { answerOf, chatBody, chatRequest } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

/** What governance costs: a key with budgets on four levels and two windows, and the ledger in a SQLite file. */
const rounds = 7;
/** A governed process still gets faster after V8 has compiled what it runs: from 75 µs a request to 60 between 35,000 and 65,000 of them. */
const warmUps = 8;
const perWarmUp = 8_000;
/** Two processes of one commit may differ by 5 % for as long as they live: V8 compiles what it runs by what it happens to see first. */
const starts = 3;
/** Neighbours of the machine come and go by the second: many short turns, each beside one of the proxy, tell the ratio better than few long ones. */
const turns = 10;
const perTurn = 3_000;
const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));

const answer = answerOf("gpt-4o");

async function measureInProcess(): Promise<void> {
  const store = sqliteStore(join(folder, "in-process.db"));
  const engine = createEngine({ providers: [{ name: "openai", chat: async () => answer }], store });
  const key = await makeKey(engine);
  const request = { ...chatRequest, model: "openai/gpt-4o" };
  const call = () => engine.chat(request, { key });
  const wide: number[] = [];
  const single: number[] = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const cpu = await cpuOfCalls(call, 10_000);
    const p50 = await p50OfCalls(call, 500);
    if (round < warmUps) continue;
    wide.push(cpu);
    single.push(p50 * 1_000);
  }
  await engine.close();
  const [cpu, p50] = [median(wide), median(single)];
  printTable(`Governed, in process (null provider, ${width} at once)`, [
    {
      what: "engine.chat, CPU µs per call, its ledger row included",
      value: cpu.toFixed(1),
      goal: "12 / 24",
      verdict: judge(cpu, { goal: 12, floor: 24 }),
    },
    {
      what: "one at a time, p50 µs",
      value: p50.toFixed(0),
      goal: "50 / 100",
      verdict: judge(p50, { goal: 50, floor: 100 }),
    },
  ]);
}

/** CPU microseconds of a request: of the proxy, of the governed listener, of `tollgate serve`. */
interface Turn {
  readonly raw: number;
  readonly told: number;
  readonly served: number;
}

/** Starts the processes anew and takes turns between them. */
async function takeTurns(origin: string, start: number): Promise<Turn[]> {
  const proxy = await startProcess("proxy", origin);
  const governed = await startProcess("governed", origin, join(folder, `http-${start}.db`));
  const serve = await startProcess("serve", origin, join(folder, `serve-${start}.db`));
  const measure = async (process: BenchProcess, count: number) => {
    const { micros } = await loadProcess(process, { count, connections: 32, body: chatBody });
    return micros;
  };
  for (let round = 0; round < warmUps; round++) {
    for (const process of [proxy, governed, serve]) await measure(process, perWarmUp);
  }
  const seen: Turn[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const told = await measure(governed, perTurn);
    const raw = await measure(proxy, perTurn);
    seen.push({ raw, told, served: await measure(serve, perTurn) });
  }
  for (const process of [governed, serve, proxy]) process.stop();
  return seen;
}

async function measureHttp(): Promise<void> {
  const mock = await startProcess("mock");
  const seen: Turn[] = [];
  for (let start = 0; start < starts; start++) seen.push(...(await takeTurns(`http://127.0.0.1:${mock.port}`, start)));
  mock.stop();
  const ratio = median(seen.map(({ raw, told }) => raw / told));
  printTable("Governed, over HTTP (32 connections; proxy = transparent undici proxy)", [
    { what: "proxy: CPU µs per request", value: median(seen.map(({ raw }) => raw)).toFixed(1), ratio: 1 },
    {
      what: "tollgate with key, budgets and ledger (ratio: of the proxy's throughput)",
      value: median(seen.map(({ told }) => told)).toFixed(1),
      ratio,
      goal: "0.60 / 0.50",
      verdict: judge(ratio, { goal: 0.6, floor: 0.5, isAtLeast: true }),
    },
    {
      what: "tollgate serve: key without limits, ledger, a line of its log",
      value: median(seen.map(({ served }) => served)).toFixed(1),
      ratio: median(seen.map(({ raw, served }) => raw / served)),
    },
  ]);
}

await measureInProcess();
await measureHttp();
rmSync(folder, { recursive: true });
