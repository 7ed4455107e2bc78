// What a kept answer costs: in this process, and over HTTP against a transparent proxy, which has to ask each time.
import { memoryCache } from "../adapters/caches/memory.ts";
import { createEngine } from "../src/index.ts";
import { loadProcess } from "./load.ts";
import { type BenchProcess, startProcess } from "./processes/spawn.ts";
import { answerOf, chatBody, chatRequest } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

const rounds = 7;
/** Rounds that do not count: V8 has compiled the hot path after some 20,000 requests. */
const warmUps = 3;
const perRound = 8_000;
const inProcess = 20_000;

const answer = answerOf();

/** CPU microseconds of a call, of all threads. */
async function timeCalls(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < inProcess; count++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / inProcess;
}

async function measureInProcess(): Promise<void> {
  const provider = { name: "bench", chat: async () => answer };
  const plain = createEngine({ providers: [provider] });
  const engine = createEngine({ providers: [provider], cache: { answers: memoryCache() } });
  const measure = async (work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let round = 0; round < warmUps + rounds; round++) times.push(await timeCalls(work));
    return times.slice(warmUps);
  };
  let seed = 0;
  const none = await measure(() => plain.chat(chatRequest));
  const hit = await measure(() => engine.chat(chatRequest));
  // Last: what is kept anew has the garbage collector at work long after.
  const miss = await measure(() => engine.chat({ ...chatRequest, seed: seed++ }));
  const perHit = median(hit);
  printTable("Kept answers, in process (CPU µs per call; null provider, 2 KB request, 1 KB answer)", [
    { what: "no cache", value: median(none).toFixed(1) },
    { what: "asked and kept", value: median(miss).toFixed(1) },
    {
      what: "given from the cache",
      value: perHit.toFixed(1),
      goal: "8 / 16",
      verdict: judge(perHit, { goal: 8, floor: 16 }),
    },
  ]);
  await Promise.all([plain.close(), engine.close()]);
}

async function measureHttp(): Promise<void> {
  const mock = await startProcess("mock");
  const origin = `http://127.0.0.1:${mock.port}`;
  const [proxy, cached] = [await startProcess("proxy", origin), await startProcess("cached", origin)];
  const measure = async (process: BenchProcess) => {
    const { micros } = await loadProcess(process, { count: perRound, connections: 32, body: chatBody });
    return micros;
  };
  const cpu = { proxy: [] as number[], cached: [] as number[] };
  for (let round = 0; round < warmUps + rounds; round++) {
    const [raw, told] = [await measure(proxy), await measure(cached)];
    if (round < warmUps) continue;
    cpu.proxy.push(raw);
    cpu.cached.push(told);
  }
  const [raw, told] = [median(cpu.proxy), median(cpu.cached)];
  const share = raw / told;
  printTable("Kept answers, over HTTP (32 connections; proxy = transparent undici proxy)", [
    { what: "proxy: CPU µs per request", value: raw.toFixed(1), ratio: 1 },
    {
      what: "tollgate, given from the cache (ratio: of the proxy's throughput)",
      value: told.toFixed(1),
      ratio: share,
      goal: "1.0 / 0.8",
      verdict: judge(share, { goal: 1, floor: 0.8, isAtLeast: true }),
    },
  ]);
  for (const process of [cached, proxy, mock]) process.stop();
}

await measureInProcess();
await measureHttp();
