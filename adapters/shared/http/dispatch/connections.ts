import type { Socket } from "node:net";
import { buildConnector, type Dispatcher } from "undici";
import { tunnelConnector } from "./tunnel.ts";

const head = Buffer.from("HTTP/1.1 100 ");
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Hides answers `100 Continue` that were not asked for from undici, which closes the connection at them; some servers send one before
 * every answer (RFC 9110, 15.2, lets clients ignore it). Only the first bytes behind a request are looked at.
 */
function withoutContinue<S extends Socket>(socket: S): S {
  const read: Socket["read"] = socket.read.bind(socket);
  let answered = -1;
  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk) || answered === socket.bytesWritten) return chunk;
      const rest = behindContinue(chunk);
      if (rest.length === 0) continue;
      answered = socket.bytesWritten;
      return rest;
    }
  };
  return socket;
}

/** The bytes behind all interim answers that a chunk begins with. */
function behindContinue(chunk: Buffer): Buffer {
  let rest = chunk;
  while (rest.length >= head.length && rest.subarray(0, head.length).equals(head)) {
    const end = rest.indexOf(headEnd);
    if (end < 0) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}

/** Failures of connections that had answered a request before: they say nothing about the server. */
const stale = new WeakSet<object>();

/** True for the failure of a connection that had answered before; a server, or what is in between, closes those without a word. */
export function isStale(failure: unknown): boolean {
  return typeof failure === "object" && failure !== null && stale.has(failure);
}

/** What looks at the connections of an origin. */
export interface ConnectionWatch {
  /** Through it they go, where there is one. */
  readonly proxy: URL | undefined;
  /** One was made; its address is the proxy's where there is one. */
  connected(socket: Socket): void;
  /** One could not be made. */
  failed(): void;
}

/** Connects as undici does of itself, or through a proxy, and marks the failures of connections that had answered before. */
export function watchedConnector(
  options: buildConnector.BuildOptions,
  watch: ConnectionWatch,
): buildConnector.connector {
  const { proxy } = watch;
  const direct = buildConnector(options);
  const connect = proxy === undefined ? direct : tunnelConnector(direct, proxy, options);
  return (target, callback) => {
    connect(target, (...[failure, socket]) => {
      if (failure !== null) {
        watch.failed();
        return callback(failure, null);
      }
      watch.connected(socket);
      const { bytesRead } = socket;
      // Before undici's own listener, which passes the failure on to the request.
      socket.once("error", (error) => {
        if (socket.bytesRead > bytesRead) stale.add(error);
      });
      return callback(null, withoutContinue(socket));
    });
  };
}

/** The connections to one origin, which are replaced all at once when one of them turns out to be stale. */
export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Sends what follows over fresh connections; calls under way on the others end there. */
  renew(stale: Dispatcher): void;
}

/** Connections of pools that `open` makes; one that is replaced is left to `close`. */
export function renewable<Pool extends Dispatcher>(open: () => Pool, close: (pool: Pool) => void): Connections {
  let pool = open();
  return {
    get dispatcher() {
      return pool;
    },
    renew(stale) {
      if (stale !== pool) return; // another call has seen to it
      const old = pool;
      pool = open();
      close(old);
    },
  };
}
