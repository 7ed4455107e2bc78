import { connect } from "node:net";
import type { BenchProcess } from "./processes/spawn.ts";

/** What the readers of many streams saw. */
export interface StreamsSeen {
  readonly events: number;
  /** From the first request to the last end. */
  readonly seconds: number;
  /** Milliseconds from the request to the first event, of each stream in ascending order. */
  readonly first: readonly number[];
  /** The longest silence of each stream behind its first event, in milliseconds and ascending order. */
  readonly gap: readonly number[];
}

interface ReadStream {
  readonly events: number;
  readonly first: number;
  readonly gap: number;
}

const mark = "data: {";

/** Opens `count` streams, one every `spreadMs / count`, and reads them to their ends. */
export async function readStreams(
  { port, key }: BenchProcess,
  { count, body, spreadMs }: { readonly count: number; readonly body: string; readonly spreadMs: number },
): Promise<StreamsSeen> {
  const keyed = key === undefined ? "" : `x-tg-key: ${key}\r\n`;
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\n${keyed}content-type: application/json\r\nconnection: close\r\n`;
  const message = `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const startedAt = performance.now();
  const later = (n: number) => new Promise((resolve) => setTimeout(resolve, (n * spreadMs) / count));
  const streams = Array.from({ length: count }, (_, n) => later(n).then(() => readStream(port, message)));
  const seen = await Promise.all(streams);
  return {
    events: seen.reduce((sum, { events }) => sum + events, 0),
    seconds: (performance.now() - startedAt) / 1000,
    first: seen.map(({ first }) => first).sort((one, other) => one - other),
    gap: seen.map(({ gap }) => gap).sort((one, other) => one - other),
  };
}

function readStream(port: number, message: string): Promise<ReadStream> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let events = 0;
    let first = Number.NaN;
    let gap = 0;
    let last = 0;
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(message));
    socket.on("data", (bytes) => {
      const now = performance.now();
      let found = 0;
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) found += 1;
      if (found === 0) return;
      if (events === 0) first = now - startedAt;
      else gap = Math.max(gap, now - last);
      last = now;
      events += found;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ events, first, gap }));
  });
}
