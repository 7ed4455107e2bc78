import { Pool } from "undici";
import { custom } from "../adapters/providers/compatible/index.ts";
import { createEngine } from "../src/index.ts";
import { startProcess } from "./processes/spawn.ts";
import { answerOf, chatRequest } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

/** What `engine.chat()` adds: over a provider that answers at once, and over the same call made by hand with undici. */
const rounds = 7;
const answer = answerOf();

/** CPU microseconds of this process for each of `count` runs of `work`, `width` at a time. */
async function cpuPerCall(work: () => Promise<unknown>, count: number, width: number): Promise<number> {
  const before = process.cpuUsage();
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: width }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const mock = await startProcess("mock");
const origin = `http://127.0.0.1:${mock.port}`;
const overNull = createEngine({ providers: [{ name: "bench", chat: async () => answer }] });
const overWire = createEngine({ providers: [custom("bench", { baseUrl: `${origin}/v1` })] });
const pool = new Pool(origin, { connections: 256 });
const direct = async () => {
  const body = JSON.stringify({ ...chatRequest, model: "bench-model" });
  const headers = { "content-type": "application/json" };
  const response = await pool.request({ path: "/v1/chat/completions", method: "POST", headers, body });
  return JSON.parse(await response.body.text());
};

const results = { none: [] as number[], direct: [] as number[], engine: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  const none = await cpuPerCall(() => overNull.chat(chatRequest), 20_000, 1);
  const bare = await cpuPerCall(direct, 4_000, 16);
  const engine = await cpuPerCall(() => overWire.chat(chatRequest), 4_000, 16);
  if (round === 0) continue; // warm-up
  results.none.push(none);
  results.direct.push(bare);
  results.engine.push(engine);
}
const [none, bare, engine] = [median(results.none), median(results.direct), median(results.engine)];
printTable("In process (CPU µs per call)", [
  {
    what: "engine.chat over a null provider",
    value: none.toFixed(1),
    goal: "10 / 20",
    verdict: judge(none, { goal: 10, floor: 20 }),
  },
  { what: "undici request by hand, JSON both ways", value: bare.toFixed(1), ratio: 1 },
  {
    what: "engine.chat over the same upstream",
    value: engine.toFixed(1),
    ratio: engine / bare,
    goal: "1.6 / 2.0",
    verdict: judge(engine / bare, { goal: 1.6, floor: 2 }),
  },
]);
await pool.close();
await overWire.close();
mock.stop();
