import type { ConnectionOptions } from "node:tls";
import { type Dispatcher, Pool } from "undici";
import { GatewayError } from "../../../../src/errors.ts";
import { memo } from "../../../../src/runtime/memo.ts";
import { abortError, pathStart } from "../failure.ts";
import { type InFlightCounter, inFlightCounter } from "../in-flight.ts";
import { inflateStream, isEncoded } from "../inflate.ts";
import type { Transport, WireRequest, WireStream } from "../transport.ts";
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
  const pools = new Map<string, Pool>();
  const running = inFlightCounter();
  let closing: Promise<unknown> | undefined;

  /** Not undici's own `close`, which would wait for sockets that never connect although their calls were given up. */
  async function drain(): Promise<void> {
    await running.ended();
    await Promise.all([...pools.values()].map((pool) => pool.destroy()));
  }

  function open(origin: string): Pool {
    const pool = new Pool(origin, poolOptions(options));
    pools.set(origin, pool);
    return pool;
  }

  const scopeOf = memo((url) => {
    const cut = pathStart(url);
    const origin = url.slice(0, cut);
    const target = options.dispatcher ?? pools.get(origin) ?? open(origin);
    return { origin, path: url.slice(cut) || "/", target };
  });

  return {
    inFlight: running,
    check({ signal }) {
      if (signal.aborted) throw abortError(signal);
      if (closing) throw new GatewayError("shutting_down", "The connections to the provider are closed.");
    },
    dispatch({ url, method, headers, body = null }, exchange) {
      const { origin, path, target } = scopeOf(url);
      // The deadlines are the exchange's own; undici's timers are switched off.
      exchange.send(target, { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 });
    },
    async close() {
      closing ??= drain();
      await closing;
    },
  };
}

function poolOptions(options: UndiciTransportOptions): Pool.Options {
  return {
    connections: options.connections ?? null,
    keepAliveTimeout: options.keepAlive ?? 30_000,
    connectTimeout: connectReclaim,
    allowH2: options.http2 ?? false,
    ...(options.tls === undefined ? {} : { connect: options.tls }),
  };
}
