import { loadProcess } from "./load.ts";
import { type BenchProcess, startProcess } from "./processes/spawn.ts";
import { chatBody } from "./request.ts";
import { judge, median, printTable } from "./table.ts";

/** The listener against a transparent undici proxy, same Node, same upstream, round about. */
const rounds = 9;
/** Rounds that do not count: V8 has compiled the hot path after some 20,000 requests. */
const warmUps = 4;
const perRound = 8_000;

const mock = await startProcess("mock");
const origin = `http://127.0.0.1:${mock.port}`;
const [proxy, gateway] = [await startProcess("proxy", origin), await startProcess("gateway", origin)];

interface Measured {
  readonly cpu: number[];
  readonly rate: number[];
  readonly single: number[];
}
const measured: Record<"proxy" | "gateway", Measured> = {
  proxy: { cpu: [], rate: [], single: [] },
  gateway: { cpu: [], rate: [], single: [] },
};

async function measure(process: BenchProcess, into: Measured | undefined): Promise<void> {
  const { micros, seconds } = await loadProcess(process, { count: perRound, connections: 32, body: chatBody });
  const { p50 } = await loadProcess(process, { count: 400, connections: 1, body: chatBody });
  into?.cpu.push(micros);
  into?.rate.push(perRound / seconds);
  into?.single.push(p50);
}

for (let round = 0; round < warmUps + rounds; round++) {
  await measure(proxy, round < warmUps ? undefined : measured.proxy);
  await measure(gateway, round < warmUps ? undefined : measured.gateway);
}
const cpu = { proxy: median(measured.proxy.cpu), gateway: median(measured.gateway.cpu) };
const rate = { proxy: median(measured.proxy.rate), gateway: median(measured.gateway.rate) };
const single = { proxy: median(measured.proxy.single), gateway: median(measured.gateway.single) };
const share = cpu.proxy / cpu.gateway;
const added = single.gateway / single.proxy;
printTable("HTTP (2 KB request, 1 KB answer, 32 connections; proxy = transparent undici proxy)", [
  { what: "proxy: CPU µs per request", value: cpu.proxy.toFixed(1), ratio: 1 },
  {
    what: "tollgate: CPU µs per request (ratio: of the proxy's throughput)",
    value: cpu.gateway.toFixed(1),
    ratio: share,
    goal: "0.60 / 0.50",
    verdict: judge(share, { goal: 0.6, floor: 0.5, isAtLeast: true }),
  },
  { what: "proxy: requests per second", value: rate.proxy.toFixed(0), ratio: 1 },
  { what: "tollgate: requests per second", value: rate.gateway.toFixed(0), ratio: rate.gateway / rate.proxy },
  { what: "proxy: p50 at one connection, ms", value: single.proxy.toFixed(3), ratio: 1 },
  {
    what: "tollgate: p50 at one connection, ms",
    value: single.gateway.toFixed(3),
    ratio: added,
    goal: "1.5 / 2.0",
    verdict: judge(added, { goal: 1.5, floor: 2 }),
  },
]);
for (const process of [gateway, proxy, mock]) process.stop();
