import type { ConnectionOptions } from "node:tls";
import { type Dispatcher, Pool } from "undici";
import { memo } from "../../../../src/runtime/memo.ts";
import { abortError, closedError, pathStart } from "../failure.ts";
import { type InFlightCounter, inFlightCounter } from "../in-flight.ts";
import { inflateStream, isEncoded } from "../inflate.ts";
import type { Transport, WireRequest, WireStream } from "../transport.ts";
import { type Connections, renewable, watchedConnector } from "./connections.ts";
import { StreamExchange } from "./streamed.ts";
import { WholeExchange } from "./whole.ts";

export interface UndiciTransportOptions {
  /** Sockets per origin; as many as there are calls at a time unless given. */
  readonly connections?: number;
  /** Milliseconds that an idle socket is kept when the server names no time of its own. */
  readonly keepAlive?: number;
  /** Offers HTTP/2 in the TLS handshake; off by default, since one HTTP/1.1 socket per call is cheaper and isolates calls. */
  readonly http2?: boolean;
  /** Certificates and the like, for `https:` origins. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "cert" | "key" | "rejectUnauthorized" | "servername">;
  /** Bytes that a whole answer may have, decoded. */
  readonly bodyLimit?: number;
  /** Sends through this dispatcher, e.g. a proxy agent of undici, in place of own pools; it is not closed here. */
  readonly dispatcher?: Dispatcher;
}

/** After this long undici takes back a socket that never connected; the caller's own deadline has passed before. */
const connectReclaim = 60_000;

/** A transport over undici's `dispatch`: one keep-alive pool per origin, made when it is first needed. */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const pools = originPools(options);
  const { bodyLimit: limit } = options;
  return {
    whole: (request) =>
      new Promise((resolve, reject) => {
        pools.check(request);
        pools.dispatch(request, new WholeExchange(request, { resolve, reject, limit }, pools.inFlight));
      }),
    async stream(request): Promise<WireStream> {
      pools.check(request);
      const stream = await new Promise<WireStream>((resolve, reject) => {
        pools.dispatch(request, new StreamExchange(request, { resolve, reject }, pools.inFlight));
      });
      const encoding = stream.headers["content-encoding"];
      if (!isEncoded(encoding)) return stream;
      try {
        return { ...stream, body: inflateStream(stream.body, encoding, request) };
      } catch (thrown) {
        await stream.body[Symbol.asyncIterator]().return?.();
        throw thrown;
      }
    },
    close: () => pools.close(),
  };
}

interface OriginPools {
  readonly inFlight: InFlightCounter;
  /** Throws for a request that must not be sent any more. */
  check(request: WireRequest): void;
  dispatch(request: WireRequest, exchange: WholeExchange | StreamExchange): void;
  close(): Promise<void>;
}

function originPools(options: UndiciTransportOptions): OriginPools {
  const origins = new Map<string, Connections>();
  /** All that are not closed, those that were replaced among them. */
  const pools = new Set<Pool>();
  const running = inFlightCounter();
  let closing: Promise<unknown> | undefined;

  /** Not undici's own `close`, which would wait for sockets that never connect although their calls were given up. */
  async function drain(): Promise<void> {
    await running.ended();
    await Promise.all([...pools].map((pool) => pool.destroy()));
  }

  function openPool(origin: string): Pool {
    const pool = new Pool(origin, poolOptions(options));
    pools.add(pool);
    return pool;
  }

  function open(origin: string): Connections {
    const connections = renewable(
      () => openPool(origin),
      (pool) => void pool.close().finally(() => pools.delete(pool)),
    );
    origins.set(origin, connections);
    return connections;
  }

  const provided: Connections | undefined = options.dispatcher && { dispatcher: options.dispatcher, renew() {} };

  const scopeOf = memo((url) => {
    const cut = pathStart(url);
    const origin = url.slice(0, cut);
    const connections = provided ?? origins.get(origin) ?? open(origin);
    return { origin, path: url.slice(cut) || "/", connections };
  });

  return {
    inFlight: running,
    check({ signal }) {
      if (signal.aborted) throw abortError(signal);
      if (closing) throw closedError();
    },
    dispatch({ url, method, headers, body: text = null }, exchange) {
      const { origin, path, connections } = scopeOf(url);
      const body = typeof text === "string" ? Buffer.from(text) : text; // as undici does, which then has the one copy
      // The deadlines are the exchange's own; undici's timers are switched off.
      exchange.send(connections, { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 });
    },
    async close() {
      closing ??= drain();
      await closing;
    },
  };
}

function poolOptions(options: UndiciTransportOptions): Pool.Options {
  const allowH2 = options.http2 ?? false;
  return {
    connections: options.connections ?? null,
    keepAliveTimeout: options.keepAlive ?? 30_000,
    allowH2,
    connect: watchedConnector({ timeout: connectReclaim, allowH2, ...options.tls }),
  };
}
