import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { BatchObservableCallback, Meter, Observable } from "@opentelemetry/api";
import type { Store } from "../../engine/ports/store.ts";
import { readVersion } from "../version.ts";
import { readDescriptors } from "./descriptors.ts";

/** What is said of the process besides what is measured. */
export interface BuildFacts {
  readonly version: string;
  /** What the store is: `sqlite`, `postgres` or `none`. */
  readonly store: string;
}

/** The facts of this package and of a store. */
export function buildOf(store: Store | undefined): BuildFacts {
  return { version: readVersion(), store: store === undefined ? "none" : (store.schema?.kind ?? "other") };
}

/** Milliseconds between two looks of the event loop at the time, which are part of what it reports. */
const resolutionMs = 20;

/**
 * Observes this process: event loop, memory, CPU, file descriptors, connections and build, by the names of OpenTelemetry's conventions
 * where they have one. The returned function stops that.
 */
export function observeProcess(meter: Meter, build: BuildFacts): () => void {
  const endings = [observeLoop(meter), observeMemory(meter), observeDescriptors(meter), observeConnections(meter)];
  const info = meter.createObservableGauge("tollgate.build.info", { description: "Always 1; what runs here." });
  const attributes = {
    "tollgate.version": build.version,
    "tollgate.store": build.store,
    "process.runtime.version": process.versions.node,
  };
  const observeBuild: Parameters<typeof info.addCallback>[0] = (gauge) => gauge.observe(1, attributes);
  info.addCallback(observeBuild);
  return () => {
    info.removeCallback(observeBuild);
    for (const end of endings) end();
  };
}

function observeBatch(meter: Meter, callback: BatchObservableCallback, instruments: Observable[]): () => void {
  meter.addBatchObservableCallback(callback, instruments);
  return () => meter.removeBatchObservableCallback(callback, instruments);
}

/** Since the last collection. */
function observeLoop(meter: Meter): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const gauge = (name: string, what: string) =>
    meter.createObservableGauge(`nodejs.eventloop.delay.${name}`, {
      unit: "s",
      description: `How late the event loop was since the last look: ${what}.`,
    });
  const [p50, p99, max] = [gauge("p50", "median"), gauge("p99", "99th percentile"), gauge("max", "maximum")];
  const late = (nanoseconds: number) => Math.max(0, nanoseconds - resolutionMs * 1e6) / 1e9;
  const callback: BatchObservableCallback = (observed) => {
    observed.observe(p50, late(histogram.percentile(50)));
    observed.observe(p99, late(histogram.percentile(99)));
    observed.observe(max, histogram.count === 0 ? 0 : late(histogram.max));
    histogram.reset();
  };
  const end = observeBatch(meter, callback, [p50, p99, max]);
  return () => {
    end();
    histogram.disable();
  };
}

function observeMemory(meter: Meter): () => void {
  const bytes = (name: string, description: string) => meter.createObservableGauge(name, { unit: "By", description });
  const resident = bytes("process.memory.usage", "Memory of the process in RAM.");
  const used = bytes("nodejs.heap.used", "JavaScript objects, those included that are not collected yet.");
  const limit = bytes("nodejs.heap.limit", "Size of the heap at which the process ends.");
  const cpu = meter.createObservableCounter("process.cpu.time", { unit: "s", description: "CPU time by mode." });
  const uptime = meter.createObservableGauge("process.uptime", { unit: "s", description: "Since the start." });
  const callback: BatchObservableCallback = (observed) => {
    const heap = getHeapStatistics();
    const times = process.cpuUsage();
    observed.observe(resident, process.memoryUsage.rss());
    observed.observe(used, heap.used_heap_size);
    observed.observe(limit, heap.heap_size_limit);
    observed.observe(cpu, times.user / 1e6, { "cpu.mode": "user" });
    observed.observe(cpu, times.system / 1e6, { "cpu.mode": "system" });
    observed.observe(uptime, process.uptime());
  };
  return observeBatch(meter, callback, [resident, used, limit, cpu, uptime]);
}

function observeDescriptors(meter: Meter): () => void {
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { unit: "{file_descriptor}", description });
  const open = gauge("process.open_file_descriptor.count", "File descriptors that are open.");
  const limit = gauge("process.open_file_descriptor.limit", "File descriptors that may be open.");
  const callback: BatchObservableCallback = async (observed) => {
    const descriptors = await readDescriptors();
    if (descriptors === undefined) return;
    observed.observe(open, descriptors.open);
    if (Number.isFinite(descriptors.limit)) observed.observe(limit, descriptors.limit);
  };
  return observeBatch(meter, callback, [open, limit]);
}

/** What Node says of a connection that a server of this process accepted. */
const accepted = "net.server.socket";

function observeConnections(meter: Meter): () => void {
  let count = 0;
  const onSocket = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    count++;
    socket.once("close", () => count--);
  };
  subscribe(accepted, onSocket);
  const open = meter.createObservableGauge("tollgate.connections.open", {
    unit: "{connection}",
    description: "Connections of clients, those that read metrics included.",
  });
  const callback: Parameters<typeof open.addCallback>[0] = (gauge) => gauge.observe(count);
  open.addCallback(callback);
  return () => {
    unsubscribe(accepted, onSocket);
    open.removeCallback(callback);
  };
}
