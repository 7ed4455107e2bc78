import { loadProcess } from "./load.ts";
import { type BenchProcess, startProcess } from "./processes/spawn.ts";
import { chatRequest } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

/** What a streamed chunk costs, paced, against passing the bytes through. */
const rounds = 5;
const streams = 64;
/** Streams one after the other on each connection, in a round. */
const perStream = 5;
const chunks = 201; // 200 with text and the one that ends
const body = JSON.stringify({ ...chatRequest, stream: true });

const mock = await startProcess("mock");
const origin = `http://127.0.0.1:${mock.port}`;
const [proxy, gateway] = [await startProcess("proxy", origin), await startProcess("gateway", origin)];
const cpu: Record<"proxy" | "gateway", number[]> = { proxy: [], gateway: [] };

async function measure(process: BenchProcess): Promise<number> {
  const { micros } = await loadProcess(process, { count: streams * perStream, connections: streams, body });
  return micros / chunks;
}

for (let round = 0; round <= rounds; round++) {
  const [raw, told] = [await measure(proxy), await measure(gateway)];
  if (round === 0) continue; // warm-up
  cpu.proxy.push(raw);
  cpu.gateway.push(told);
}
const [raw, told] = [median(cpu.proxy), median(cpu.gateway)];
printTable(`Streams (${streams} at once, an event every 5 ms, the upstream decides the cuts; CPU µs per event)`, [
  { what: "bytes passed through", value: raw.toFixed(1), ratio: 1 },
  {
    what: "tollgate: parsed, counted, told",
    value: told.toFixed(1),
    ratio: told / raw,
    goal: "1.35 / 1.60",
    verdict: judge(told / raw, { goal: 1.35, floor: 1.6 }),
  },
]);
for (const process of [gateway, proxy, mock]) process.stop();
