import type { RequestListener, ServerResponse } from "node:http";
import type { GatewayConfig } from "../../../config/shape.ts";
import { GatewayError, isGatewayError } from "../../../errors.ts";
import { namingFile } from "../../config/origin.ts";
import { addressOf, type ListenAddress, scopeOf } from "../../network/address.ts";
import { answerOwnNames } from "../../network/hosts.ts";
import { isLoopback } from "../../network/loopback.ts";
import type { OpenedEngine } from "../../open-engine.ts";
import { needPackages } from "../../program/needed-packages.ts";
import { onlyPresent } from "../../program/present-options.ts";
import { startServer, tryAddress } from "../server.ts";

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

/** What takes them and writes them in the form of Prometheus. */
const packages = ["@opentelemetry/api", "@opentelemetry/sdk-metrics", "@opentelemetry/exporter-prometheus"] as const;

/** Throws `invalid_configuration` if metrics are configured but cannot be served. */
export async function tryMetrics(origin: Pick<OpenedEngine, "config" | "file">): Promise<void> {
  await checkMetrics(origin);
  const listenAddress = metricsAddress(origin.config);
  if (listenAddress !== undefined)
    await namingFile(origin, () => inWords(listenAddress, () => tryAddress(listenAddress)));
}

/** The same without a look at the port. */
export async function checkMetrics(origin: Pick<OpenedEngine, "config" | "file">): Promise<void> {
  if (origin.config.metrics !== undefined) await namingFile(origin, () => needPackages("metrics", ...packages));
}

/** Serves metrics for Prometheus on a port of their own, which needs no key: who reaches it is chosen by its host. */
export async function serveMetrics({ engine, config }: OpenedEngine): Promise<MetricsServer | undefined> {
  const listenAddress = metricsAddress(config);
  if (listenAddress === undefined) return undefined;
  needPackages("metrics", ...packages);
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
  const guarded = isLoopback(listenAddress.host)
    ? answerOwnNames(listener, { hosts, newEventId: engine.newEventId, onFailure: () => {} })
    : listener;
  const server = await inWords(listenAddress, () => startServer(guarded, listenAddress));
  const stop = observeEngine(engine, { meterProvider, tracerProvider: false });
  return {
    address: `${addressOf({ ...listenAddress, port: server.port })}/metrics`,
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
    response
      .writeHead(status, { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" })
      .end(`${words}\n`);
  return (request, response) => {
    request.resume();
    if (request.url?.split("?")[0] !== "/metrics") return void refuse(response, 404, "Metrics are at /metrics.");
    if (request.method !== "GET" && request.method !== "HEAD")
      return void refuse(response.setHeader("allow", "GET, HEAD"), 405, "Metrics can only be read.");
    response.setHeader("x-content-type-options", "nosniff");
    answer(request, response as never);
  };
}

function metricsAddress({ metrics }: Pick<GatewayConfig, "metrics">): ListenAddress | undefined {
  if (metrics === undefined) return undefined;
  return scopeOf({}, { server: { port: usualPort, ...(metrics === true ? {} : onlyPresent(metrics)) } });
}

/**
 * Runs work on a listen address and rewords its errors: those of the server name command-line options, which do not apply to the metrics
 * port.
 */
async function inWords<Result>({ host, port }: ListenAddress, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    const code = isGatewayError(thrown) ? (thrown.cause as NodeJS.ErrnoException | undefined)?.code : undefined;
    const problems: Readonly<Record<string, string>> = {
      EADDRINUSE: `port ${port} on ${host} is taken; choose another one, or 0 for any free one`,
      EACCES: `port ${port} may not be opened by this user; choose one above 1023`,
      EADDRNOTAVAIL: `${host} is no address of this machine`,
      ENOTFOUND: `Unknown host ${host}`,
    };
    const problem = problems[code ?? ""] ?? `cannot listen on ${host}, port ${port}: ${code ?? thrown}`;
    throw new GatewayError("invalid_configuration", `\`metrics\`: ${problem}.`, { param: "metrics", cause: thrown });
  }
}
