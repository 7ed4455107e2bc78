import type { RequestListener, ServerResponse } from "node:http";
import { GatewayError, isGatewayError } from "../../errors.ts";
import { needPackages } from "../installed.ts";
import type { Opened } from "../open-engine.ts";
import { addressOf, type Place } from "./address.ts";
import { answerOwnNames } from "./hosts.ts";
import { isLoopback } from "./loopback.ts";
import { startServer } from "./server.ts";

/** Metrics that are served. */
export interface MetricsServer {
  /** Where they are. */
  readonly address: string;
  close(): Promise<void>;
}

/** Where OpenTelemetry's exporters for Prometheus usually are. */
const usualPort = 9_464;

/** Milliseconds that a stop waits for an answer under way. */
const graceMs = 1_000;

/** Serves metrics for Prometheus on a port of their own, which needs no key: who reaches it is chosen by its host. */
export async function serveMetrics({ engine, config }: Opened): Promise<MetricsServer | undefined> {
  if (config.metrics === undefined) return undefined;
  const { host = "127.0.0.1", port = usualPort } = config.metrics === true ? {} : config.metrics;
  needPackages("metrics", "@opentelemetry/api", "@opentelemetry/sdk-metrics", "@opentelemetry/exporter-prometheus");
  const [{ observeEngine }, { MeterProvider }, { PrometheusExporter }] = await Promise.all([
    import("tollgate/telemetry/opentelemetry"),
    import("@opentelemetry/sdk-metrics"),
    import("@opentelemetry/exporter-prometheus"),
  ]);
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const listener = answerMetrics((request, response) => exporter.getMetricsRequestHandler(request, response));
  const { hosts = [] } = config.server ?? {};
  const guarded = isLoopback(host)
    ? answerOwnNames(listener, { hosts, newEventId: engine.newEventId, onFailure: () => {} })
    : listener;
  const server = await startServer(guarded, { host, port }).catch((thrown) =>
    Promise.reject(inWords(thrown, { host, port })),
  );
  const stop = observeEngine(engine, { meterProvider, tracerProvider: false });
  return {
    address: `${addressOf({ host, port: server.port })}/metrics`,
    async close() {
      stop();
      await server.close(graceMs);
      await meterProvider.shutdown();
    },
  };
}

/** One page, to be read. */
function answerMetrics(answer: RequestListener): RequestListener {
  const refuse = (response: ServerResponse, status: number, words: string) =>
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${words}\n`);
  return (request, response) => {
    request.resume();
    if (request.url?.split("?")[0] !== "/metrics") return void refuse(response, 404, "Metrics are at /metrics.");
    if (request.method !== "GET" && request.method !== "HEAD")
      return void refuse(response.setHeader("allow", "GET, HEAD"), 405, "Metrics can only be read.");
    answer(request, response as never);
  };
}

/** The server's own error speaks of the options of the command line, which are the gateway's. */
function inWords(thrown: unknown, { host, port }: Place): unknown {
  if (!isGatewayError(thrown)) return thrown;
  const code = (thrown.cause as NodeJS.ErrnoException | undefined)?.code;
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is taken; choose another one, or 0 for any free one`,
    EACCES: `port ${port} may not be opened by this user; choose one above 1023`,
    EADDRNOTAVAIL: `${host} is no address of this machine`,
    ENOTFOUND: `${host} is no known host`,
  };
  const problem = problems[code ?? ""] ?? `cannot listen on ${host}, port ${port}: ${code ?? thrown.message}`;
  return new GatewayError("invalid_configuration", `\`metrics\`: ${problem}.`, { param: "metrics", cause: thrown });
}
