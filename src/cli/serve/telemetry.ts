import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { namingFile } from "../config/origin.ts";
import { needPackages } from "../installed.ts";
import type { Opened } from "../open-engine.ts";
import { serveMetrics } from "./metrics.ts";

/** What a server tells those who watch it from outside. */
export interface Telemetry {
  /** Where Prometheus finds metrics; absent unless that is asked for. */
  readonly metricsAt: string | undefined;
  /** A listener whose requests continue the traces that they name, where somebody takes spans. */
  follow(listener: RequestListener): RequestListener;
  /** Hands out what is held back, and stops serving metrics. */
  close(): Promise<void>;
}

/** Milliseconds that a stop waits for what takes spans and metrics. */
const patienceMs = 5_000;

/**
 * Tells the OpenTelemetry SDK of this process, where one was registered before the start (`node --import`), and serves metrics where
 * the configuration asks for that.
 */
export async function openTelemetry(opened: Opened, log: Logger): Promise<Telemetry> {
  const registered = await tellRegistered(opened, log);
  const served = await namingFile(opened, () => serveMetrics(opened));
  return {
    metricsAt: served?.address,
    follow: registered?.follow ?? ((listener) => listener),
    async close() {
      await Promise.all([served?.close(), registered?.flush()]);
    },
  };
}

/** Spans and metrics for who has registered to take them; `undefined` where nobody has. */
async function tellRegistered({ engine }: Opened, log: Logger) {
  if (!isRegistered()) return undefined;
  try {
    needPackages("OpenTelemetry", "@opentelemetry/api");
  } catch (thrown) {
    log.warn(`an OpenTelemetry SDK is registered, but gets no spans: ${(thrown as Error).message}`);
    return undefined;
  }
  const { continueTraces, observeEngine } = await import("tollgate/telemetry/opentelemetry");
  observeEngine(engine);
  log.info("spans and metrics go to the OpenTelemetry SDK of this process");
  return { follow: continueTraces as (listener: RequestListener) => RequestListener, flush: flushRegistered };
}

/** Where `@opentelemetry/api`, of all versions 1, keeps who has registered. */
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
  await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
}

/** A provider that stands in for a later one is told by its method: its class may be that of another copy of the package. */
async function flush(provider: object): Promise<void> {
  const { getDelegate } = provider as { getDelegate?(): object };
  const real = (getDelegate?.call(provider) ?? provider) as { forceFlush?(): Promise<void> };
  await real.forceFlush?.();
}
