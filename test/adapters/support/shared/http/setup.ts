import type { RequestListener, Server } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import { undiciTransport } from "../../../../../adapters/shared/http/dispatch/undici.ts";
import { fetchTransport } from "../../../../../adapters/shared/http/fetch.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Transport, WireRequest } from "../../../../../src/engine/ports/transport.ts";
import {
  type Answerer,
  startUpstream,
  type Upstream,
} from "../../../../../src/testing/conformance/provider/upstream.ts";

export const long = { connect: 5_000, firstContent: 5_000, gap: 5_000, whole: 5_000 };

/** Both transports, by name; what they make is closed after the test. */
export const transports: [string, () => Transport][] = [
  ["undici", () => closedAfter(undiciTransport())],
  ["fetch", () => closedAfter(fetchTransport(fetch))],
];

export function closedAfter<Closable extends { close(): Promise<void> }>(made: Closable): Closable {
  onTestFinished(() => made.close());
  return made;
}

export async function upstream(answer: Answerer): Promise<Upstream> {
  return closedAfter(await startUpstream(answer));
}

/** A TCP server that is no HTTP server: `host:port`, and how to close it. */
export async function rawServer(act: (socket: Socket) => void): Promise<{ host: string; close(): Promise<void> }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    sockets.push(socket);
    act(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return closedAfter({
    host,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
}

export function post(url: string, change: Partial<WireRequest> = {}): WireRequest {
  const signal = new AbortController().signal;
  return { method: "POST", url, headers: {}, body: "{}", signal, timeouts: long, ...change };
}

export async function failure(promise: Promise<unknown>): Promise<GatewayError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(GatewayError);
  return thrown as GatewayError;
}

export function promised<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

/** Listens until the end of the test; the port. */
export async function portOf(server: Server, host = "127.0.0.1", port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  closedAfter({
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** Answers every request with a text. */
export const says =
  (text: string): RequestListener =>
  (request, response) =>
    void request.resume().on("end", () => response.end(text));
