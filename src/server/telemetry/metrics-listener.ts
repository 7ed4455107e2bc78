import type { RequestListener, ServerResponse } from "node:http";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { type ListenAddress, scopeOf } from "../network/address.ts";
import { answerOwnNames, type OwnNames } from "../network/hosts.ts";
import { isLoopback } from "../network/loopback.ts";
import { onlyPresent } from "../present-options.ts";
import { type Listening, startServer } from "../server.ts";

/** Where OpenTelemetry's exporters for Prometheus usually are. */
const usualPort = 9_464;

/** Where the configuration has metrics served; `undefined` for nowhere. */
export function metricsAddress({ metrics }: Pick<CheckedConfig, "metrics">): ListenAddress | undefined {
  if (metrics === undefined) return undefined;
  return scopeOf({}, { server: { port: usualPort, ...(metrics === true ? {} : onlyPresent(metrics)) } });
}

/** What names the page answers to on this machine. */
interface MetricsNames extends Pick<OwnNames, "newEventId"> {
  readonly hosts: OwnNames["hosts"] | undefined;
}

/** Serves a page of metrics at `/metrics`; on the loopback interface only to its own names. Throws `invalid_configuration` naming `metrics`. */
export function listenForMetrics(
  answer: RequestListener,
  address: Parameters<typeof startServer>[1],
  { hosts = [], newEventId }: MetricsNames,
): Promise<Listening> {
  const listener = answerMetrics(answer);
  const isGuarded = isLoopback(address.host);
  const guarded = isGuarded ? answerOwnNames(listener, { hosts, newEventId, onFailure: () => {} }) : listener;
  return inMetricsWords(address, () => startServer(guarded, address));
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
    answer(request, response);
  };
}

/**
 * Runs work on a listen address and rewords its errors: those of the server name command-line options, which do not apply to the metrics
 * port.
 */
export async function inMetricsWords<Result>(
  { host, port }: ListenAddress,
  work: () => Promise<Result>,
): Promise<Result> {
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
