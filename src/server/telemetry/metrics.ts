import { namingFile } from "../config/origin.ts";
import { needPackages } from "../needed-packages.ts";
import { addressOf } from "../network/address.ts";
import type { OpenedEngine } from "../open-engine.ts";
import type { WorkerRole } from "../reload/worker-role.ts";
import { tryAddress } from "../server.ts";
import { inMetricsWords, listenForMetrics, metricsAddress } from "./metrics-listener.ts";

/** Metrics that are served. */
export interface MetricsServer {
  /** Where they are; absent of a worker's, which are its supervisor's to serve. */
  readonly address: string | undefined;
  close(): Promise<void>;
}

/** Milliseconds that a stop waits for an answer under way. */
const graceMs = 1_000;

/** What takes them and writes them in the form of Prometheus. */
const packages = ["@opentelemetry/api", "@opentelemetry/sdk-metrics", "@opentelemetry/exporter-prometheus"] as const;

/** Throws `invalid_configuration` if metrics are configured but cannot be served. */
export async function tryMetrics(origin: Pick<OpenedEngine, "config" | "file">): Promise<void> {
  await checkMetrics(origin);
  const listenAddress = metricsAddress(origin.config);
  if (listenAddress !== undefined)
    await namingFile(origin, () => inMetricsWords(listenAddress, () => tryAddress(listenAddress)));
}

/** The same without a look at the port. */
export async function checkMetrics(origin: Pick<OpenedEngine, "config" | "file">): Promise<void> {
  if (origin.config.metrics !== undefined) await namingFile(origin, () => needPackages("metrics", ...packages));
}

/** Serves metrics for Prometheus on a port of their own, which needs no key: who reaches it is chosen by its host. */
export async function serveMetrics(
  { engine, config, store }: OpenedEngine,
  worker?: WorkerRole,
): Promise<MetricsServer | undefined> {
  const shown = metricsAddress(config);
  if (shown === undefined) return undefined;
  // A worker's own page is for its supervisor, which serves those of all at the address of the configuration.
  const listenAddress = worker ? { host: "127.0.0.1", port: 0, exclusive: true } : shown;
  needPackages("metrics", ...packages);
  const [{ observeEngine }, { buildOf, observeProcess }, { MeterProvider }, { PrometheusExporter }] = await Promise.all(
    [
      import("tollgate/telemetry/opentelemetry"),
      import("./process-metrics.ts"),
      import("@opentelemetry/sdk-metrics"),
      import("@opentelemetry/exporter-prometheus"),
    ],
  );
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const server = await listenForMetrics(
    (request, response) => exporter.getMetricsRequestHandler(request, response as never),
    listenAddress,
    { hosts: config.server?.hosts, newEventId: engine.newEventId },
  );
  const address = `${addressOf({ ...listenAddress, port: server.port })}/metrics`;
  worker?.report({ kind: "metrics", address });
  const stops = [
    observeEngine(engine, { meterProvider, tracerProvider: false, store }),
    observeProcess(meterProvider.getMeter("tollgate"), buildOf(store)),
  ];
  return {
    address: worker ? undefined : address,
    async close() {
      for (const stop of stops) stop();
      await server.close(graceMs);
      await meterProvider.shutdown();
    },
  };
}
