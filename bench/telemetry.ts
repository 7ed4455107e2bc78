import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { observeEngine } from "../adapters/telemetry/opentelemetry/index.ts";
import { createEngine } from "../src/index.ts";
import { cpuOfCalls } from "./calls.ts";
import { answerOf, chatRequest } from "./request.ts";
import { median, printTable } from "./table.ts";

/** What a listening OpenTelemetry costs a call over a provider that answers at once: metrics, and spans that nobody sends anywhere. */
const rounds = 9;
const perRound = 20_000;
const answer = answerOf();

/** Collected by nobody. */
class Reader extends MetricReader {
  override async onForceFlush() {}
  override async onShutdown() {}
}

function openEngine() {
  return createEngine({ providers: [{ name: "bench", chat: async () => answer }] });
}

const exporter = {
  export: (_spans: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
  async shutdown() {},
};
const meterProvider = new MeterProvider({ readers: [new Reader()] });
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const engines = { alone: openEngine(), metrics: openEngine(), both: openEngine() };
observeEngine(engines.metrics, { meterProvider, tracerProvider: false });
observeEngine(engines.both, { meterProvider, tracerProvider });

const results: Record<keyof typeof engines, number[]> = { alone: [], metrics: [], both: [] };
for (let round = 0; round <= rounds; round++) {
  for (const name of Object.keys(engines) as (keyof typeof engines)[]) {
    const taken = await cpuOfCalls(() => engines[name].chat(chatRequest), perRound);
    if (round > 0) results[name].push(taken); // the first is for warming up
  }
}
const alone = median(results.alone);
printTable("Telemetry (CPU µs per call, in process)", [
  { what: "engine.chat over a null provider", value: alone.toFixed(1), ratio: 1 },
  { what: "with metrics", value: median(results.metrics).toFixed(1), ratio: median(results.metrics) / alone },
  { what: "with metrics and two spans", value: median(results.both).toFixed(1), ratio: median(results.both) / alone },
]);
