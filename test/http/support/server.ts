import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Clock } from "../../../src/engine/ports/clock.ts";

/** Time that stands still. */
export const stillClock: Clock = { now: () => 0, after: () => () => {} };

/** A server on a free port of this machine. */
export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** Serves with node:http until disposed of. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An open connection with what came over it so far. */
export interface RawConnection {
  readonly socket: Socket;
  received(): string;
  /** Resolves with everything received once it holds `text`, rejects when the connection ends without. */
  until(text: string): Promise<string>;
  /** Resolves with everything received when the connection is over. */
  readonly over: Promise<string>;
}

/** Connects and sends `text` byte for byte. */
export function connectRaw(port: number, text: string | Uint8Array): RawConnection {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let check = () => {};
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    received += piece.toString("utf8");
    check();
  });
  const over = new Promise<string>((resolve) => socket.on("close", () => resolve(received)));
  socket.write(text);
  return {
    socket,
    over,
    received: () => received,
    until: (wanted) =>
      new Promise((resolve, reject) => {
        check = () => {
          if (received.includes(wanted)) resolve(received);
        };
        check();
        over.then((all) => reject(new Error(`The connection ended without ${JSON.stringify(wanted)}: ${all}`)));
      }),
  };
}

/** The text of a POST with a JSON body, for a raw connection. */
export function rawPost(path: string, body: unknown): string {
  const text = JSON.stringify(body);
  const head = ["host: test", "content-type: application/json", `content-length: ${Buffer.byteLength(text)}`];
  return `POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${text}`;
}

/** A promise and the function that resolves it. */
export function promised<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let resolve = (_value: Value) => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Lets the event loop turn `count` times. */
export async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
}

/** Posts JSON with fetch. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: text });
}
