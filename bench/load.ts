import { Pool } from "undici";
import type { BenchProcess } from "./processes/spawn.ts";

/** How a load is made; it ends by itself after `count` requests. */
export interface Load {
  readonly port: number;
  readonly count: number;
  readonly connections: number;
  readonly body: string;
  /** The virtual key to send. */
  readonly key?: string | undefined;
}

/** What a load saw. */
export interface LoadResult {
  readonly seconds: number;
  /** Median milliseconds of a request. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of all answers. */
  readonly bytes: number;
}

/** Sends `count` chat requests to a port of this machine over `connections` kept-alive connections; throws on any other status than 200. */
export async function sendLoad({ port, count, connections, body, key }: Load): Promise<LoadResult> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  const times: number[] = [];
  let left = count;
  let bytes = 0;
  const lane = async () => {
    while (left-- > 0) {
      const startedAt = performance.now();
      const answer = await pool.request({
        path: "/v1/chat/completions",
        method: "POST",
        headers: { "content-type": "application/json", ...(key === undefined ? {} : { "x-tg-key": key }) },
        body,
      });
      const received = await answer.body.bytes();
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${Buffer.from(received).toString()}`);
      bytes += received.length;
      times.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { seconds, p50: at(0.5), p99: at(0.99), bytes };
}

/** Sends a load to a process of the bench, with its key where it has one, and tells the CPU microseconds that a request cost it. */
export async function loadProcess(
  { port, key, cpuMicros }: BenchProcess,
  load: Pick<Load, "count" | "connections" | "body">,
): Promise<LoadResult & { readonly micros: number }> {
  const before = cpuMicros();
  const result = await sendLoad({ ...load, port, key });
  return { ...result, micros: (cpuMicros() - before) / load.count };
}
