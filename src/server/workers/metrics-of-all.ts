import { randomUUID } from "node:crypto";
import { get, type RequestListener } from "node:http";
import { addressOf, type ListenAddress } from "../network/address.ts";
import type { WorkerReport } from "../reload/worker-role.ts";
import { listenForMetrics } from "../telemetry/metrics-listener.ts";
import { mergePages, type WorkerPage } from "./metrics-page.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** What the page of all workers needs. */
export interface MetricsOfAll {
  readonly address: ListenAddress;
  /** Names that the page answers to on this machine, in addition to its own. */
  readonly hosts: readonly string[] | undefined;
  /** Those that run at the moment. */
  workers(): readonly WorkerProcess[];
}

/** The page of all workers. */
export interface MetricsPage {
  /** Where it is. */
  readonly url: string;
  /** Learns where a worker's own metrics are. */
  take(worker: WorkerProcess, report: WorkerReport): void;
  close(): Promise<void>;
}

/** Milliseconds that one worker's page may take, and that a stop waits for an answer under way. */
const patienceMs = 5_000;
const graceMs = 1_000;

/** Bytes that one worker's page may have. */
const longestPage = 16 * 1_024 * 1_024;

/** Serves one page of the metrics of all workers; a worker that does not answer is left out of it. */
export async function serveMetricsOfAll({ address, hosts, workers }: MetricsOfAll): Promise<MetricsPage> {
  const places = new WeakMap<WorkerProcess, string>();
  const pageOf = async (worker: WorkerProcess): Promise<readonly WorkerPage[]> => {
    const place = places.get(worker);
    const text = place && (await read(place).catch(() => undefined));
    return text === undefined ? [] : [{ number: worker.number, text }];
  };
  const answer: RequestListener = async (_request, response) => {
    const pages = await Promise.all(workers().map(pageOf));
    response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
    response.end(mergePages(pages.flat()));
  };
  const server = await listenForMetrics(answer, address, { hosts, newEventId: () => `evt_${randomUUID()}` });
  return {
    url: `${addressOf({ ...address, port: server.port })}/metrics`,
    take: (worker, report) => report.kind === "metrics" && void places.set(worker, report.address),
    close: () => server.close(graceMs),
  };
}

function read(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(address, { timeout: patienceMs }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        if (text.length > longestPage) response.destroy(new Error("too long"));
      });
      response.on("end", () => resolve(text)).on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time"))).on("error", reject);
  });
}
