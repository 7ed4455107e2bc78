import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { namingFile } from "../config/origin.ts";
import { needPackages } from "../needed-packages.ts";
import type { OpenedEngine } from "../open-engine.ts";
import type { WorkerRole } from "../reload/worker-role.ts";
import { serveMetrics } from "./metrics.ts";

/** The telemetry of a server. */
export interface Telemetry {
  /** The URL of the Prometheus endpoint; absent unless configured. */
  readonly metricsAt: string | undefined;
  /** A listener whose requests continue the incoming trace, if a tracer provider is registered. */
  follow(listener: RequestListener): RequestListener;
  /** Hands out what is held back, and stops serving metrics. */
  close(): Promise<void>;
}

/** Milliseconds that a stop waits for what takes spans and metrics. */
const timeoutMs = 5_000;

/**
 * Connects the OpenTelemetry SDK of this process, if one was registered before the start (`node --import`), and serves metrics if
 * configured.
 */
export async function openTelemetry(opened: OpenedEngine, log: Logger, worker?: WorkerRole): Promise<Telemetry> {
  const registered = await printRegistered(opened, log);
  const served = await namingFile(opened, () => serveMetrics(opened, worker));
  return {
    metricsAt: served?.address,
    follow: registered?.follow ?? ((listener) => listener),
    async close() {
      await Promise.all([served?.close(), registered?.flush()]);
    },
  };
}

/** Spans and metrics for the registered SDK; `undefined` if none is registered. */
async function printRegistered({ engine, store }: OpenedEngine, log: Logger) {
  if (!isRegistered()) return undefined;
  try {
    needPackages("OpenTelemetry", "@opentelemetry/api");
  } catch (thrown) {
    log.warn(`an OpenTelemetry SDK is registered, but gets no spans: ${(thrown as Error).message}`);
    return undefined;
  }
  const { continueTraces, observeEngine } = await import("tollgate/telemetry/opentelemetry");
  const { metrics } = await import("@opentelemetry/api");
  const { buildOf, observeProcess } = await import("./process-metrics.ts");
  observeEngine(engine, { store });
  observeProcess(metrics.getMeter("tollgate"), buildOf(store));
  log.info("spans and metrics go to the OpenTelemetry SDK of this process");
  return { follow: continueTraces as (listener: RequestListener) => RequestListener, flush: flushRegistered };
}

/** The global registry of every 1.x version of `@opentelemetry/api`. */
const registry = Symbol.for("opentelemetry.js.api.1");

function isRegistered(): boolean {
  const found = Reflect.get(globalThis, registry) as
    | { readonly trace?: unknown; readonly metrics?: unknown }
    | undefined;
  return found?.trace !== undefined || found?.metrics !== undefined;
}

/** Has what was batched sent: the process ends right after. */
async function flushRegistered(): Promise<void> {
  const { metrics, trace } = await import("@opentelemetry/api");
  const flushed = Promise.allSettled([flush(trace.getTracerProvider()), flush(metrics.getMeterProvider())]);
  await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
}

/** Recognises a proxy provider by its method, since its class may come from another copy of the package. */
async function flush(provider: object): Promise<void> {
  const { getDelegate } = provider as { getDelegate?(): object };
  const real = (getDelegate?.call(provider) ?? provider) as { forceFlush?(): Promise<void> };
  await real.forceFlush?.();
}
