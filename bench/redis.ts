// What it costs a call that budgets are counted, and answers kept, in Redis and not in this process. Starts a server of its own.
//   node bench/redis.ts
import { memoryCache } from "../adapters/caches/memory.ts";
import { redisCache } from "../adapters/caches/redis/index.ts";
import { redisCounters } from "../adapters/counters/redis/index.ts";
import { memoryStore } from "../adapters/stores/memory/index.ts";
import { createEngine, type Engine } from "../src/index.ts";
import { startRedis } from "../test/adapters/conformance/counters/redis-server.ts";
import { cpuOfCalls, p50OfCalls, width } from "./calls.ts";
import { makeKey } from "./key.ts";
import { answerOf, chatRequest } from "./request.ts";
import { median, printTable } from "./table.ts";

const rounds = 5;
/** Rounds that do not count: V8 has compiled the hot path after some 20,000 requests. */
const warmUps = 5;

const redis = await startRedis();
const answer = answerOf("gpt-4o");
const provider = { name: "openai", chat: async () => answer };
const request = { ...chatRequest, model: "openai/gpt-4o" };

/** A call of each kind, by its name. */
async function makeCalls(): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const governed = async (options: Partial<Parameters<typeof createEngine>[0]>) => {
    const engine = open({ store: memoryStore({ capacity: 1_000 }), ...options });
    const key = await makeKey(engine);
    return () => engine.chat(request, { key });
  };
  const cached = (cache: Parameters<typeof createEngine>[0]["cache"]) => {
    const engine = open({ cache });
    return () => engine.chat(request);
  };
  return {
    "six limits, counted in this process": await governed({}),
    "six limits, counted in Redis": await governed({ counters: redisCounters({ client: await redis.connect() }) }),
    "an answer kept in this process": cached({ answers: memoryCache() }),
    "an answer kept in Redis": cached({ answers: redisCache({ client: await redis.connect() }) }),
  };
}

const engines: Engine[] = [];
function open(options: Omit<Parameters<typeof createEngine>[0], "providers">): Engine {
  const engine = createEngine({ providers: [provider], ...options });
  engines.push(engine);
  return engine;
}

const calls = await makeCalls();
const seen = Object.entries(calls).map(([what, call]) => ({ what, call, cpus: [] as number[], waits: [] as number[] }));
for (let round = 0; round < warmUps + rounds; round++) {
  for (const { call, cpus, waits } of seen) {
    cpus.push(await cpuOfCalls(call, 5_000));
    waits.push((await p50OfCalls(call, 500)) * 1_000);
  }
}
printTable(
  `Redis on this machine: this process's CPU for a call (${width} at once), and how long one takes alone (p50)`,
  seen.map(({ what, cpus, waits }) => {
    const [cpu, wait] = [cpus, waits].map((values) => median(values.slice(warmUps)));
    return { what, value: `${cpu?.toFixed(1)} µs of CPU, ${wait?.toFixed(0)} µs` };
  }),
);
await Promise.all(engines.map((engine) => engine.close()));
await redis.stop();
