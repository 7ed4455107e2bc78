import type { ConnectionOptions } from "node:tls";
import { type Dispatcher, Pool } from "undici";
import type { WireRequest } from "../../../../src/engine/ports/transport.ts";
import { memo } from "../../../../src/engine/runtime/memo.ts";
import { abortError, closedError, pathStart } from "../failure.ts";
import { type InFlightCounter, inFlightCounter } from "../in-flight.ts";
import { type Connections, renewable, watchedConnector } from "./connections.ts";
import type { DispatchExchange } from "./exchange.ts";
import { type FollowedName, followName } from "./followed-name.ts";
import {
  createNames,
  type HostNames,
  type NameLifetimes,
  type NameSystem,
  systemNames,
  usualLifetimes,
} from "./names.ts";
import type { FindProxy } from "./proxy.ts";

/** How connections are made and kept. */
export interface OriginPoolsOptions {
  /** Sockets per origin; as many as there are calls at a time unless given. */
  readonly connections?: number;
  /** Milliseconds that an idle socket is kept when the server names no time of its own. */
  readonly keepAlive?: number;
  /** Offers HTTP/2 in the TLS handshake; off by default, since one HTTP/1.1 socket per call is cheaper and isolates calls. */
  readonly http2?: boolean;
  /** Certificates and the like, for `https:` origins. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "cert" | "key" | "rejectUnauthorized" | "servername">;
  /** The proxies of origins; none unless given. */
  readonly findProxy?: FindProxy;
  /** Resolves names in place of the system. */
  readonly nameSystem?: NameSystem;
  /** How long the addresses of names are used. */
  readonly lifetimes?: Partial<NameLifetimes>;
  /** Milliseconds, for the lifetimes; a clock that never goes back. */
  readonly now?: () => number;
  /** Sends through this dispatcher, e.g. a proxy agent of undici, in place of own pools; it is not closed here. */
  readonly dispatcher?: Dispatcher;
}

/** After this long undici takes back a socket that never connected; the caller's own deadline has passed before. */
const connectReclaim = 60_000;

/** Milliseconds for each of several addresses of a name; Node's own 250 are too few for another continent. */
const addressAttempt = 1_000;

/** The pools of connections of one transport, one for each origin, made when it is first needed. */
export interface OriginPools {
  readonly inFlight: InFlightCounter;
  /** Throws for a request that must not be sent any more. */
  check(request: WireRequest): void;
  dispatch(request: WireRequest, exchange: DispatchExchange): void;
  close(): Promise<void>;
}

export function originPools(options: OriginPoolsOptions): OriginPools {
  const opened = createPools(options);
  const running = inFlightCounter();
  let closing: Promise<unknown> | undefined;

  /** Not undici's own `close`, which would wait for sockets that never connect although their calls were given up. */
  async function drain(): Promise<void> {
    await running.ended();
    await opened.destroy();
  }

  const scopeOf = memo((url) => {
    const cut = pathStart(url);
    const origin = url.slice(0, cut);
    return { origin, path: url.slice(cut) || "/", ...opened.at(origin) };
  });

  return {
    inFlight: running,
    check({ signal }) {
      if (signal.aborted) throw abortError(signal);
      if (closing) throw closedError();
    },
    dispatch({ url, method, headers, body: text = null }, exchange) {
      const { origin, path, connections, name } = scopeOf(url);
      const body = typeof text === "string" ? Buffer.from(text) : text; // as undici does, which then has the one copy
      // The deadlines are the exchange's own; undici's timers are switched off.
      const sent = { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 };
      const settling = name?.settle(connections);
      if (settling === undefined) exchange.send(connections, sent);
      else settling.then(() => exchange.send(connections, sent));
    },
    async close() {
      closing ??= drain();
      await closing;
    },
  };
}

/** The connections to all origins. */
interface OpenedPools {
  at(origin: string): OriginConnections;
  destroy(): Promise<unknown>;
}

function createPools(options: OriginPoolsOptions): OpenedPools {
  const names = namesOf(options);
  const origins = new Map<string, OriginConnections>();
  /** All that are not closed, those that were replaced among them. */
  const pools = new Set<Pool>();

  function open(origin: string): OriginConnections {
    const route = routeTo(origin, options, names);
    const openPool = () => {
      const pool = new Pool(origin, poolOptions(options, names, route));
      pools.add(pool);
      return pool;
    };
    const connections = renewable(openPool, (pool) => void pool.close().finally(() => pools.delete(pool)));
    const opened = { connections, name: route.name };
    origins.set(origin, opened);
    return opened;
  }

  const { dispatcher } = options;
  const provided = dispatcher && { connections: { dispatcher, renew() {} }, name: undefined };
  return {
    at: (origin) => provided ?? origins.get(origin) ?? open(origin),
    destroy: () => Promise.all([...pools].map((pool) => pool.destroy())),
  };
}

function namesOf({
  nameSystem = systemNames,
  lifetimes,
  now = () => performance.now(),
}: OriginPoolsOptions): HostNames {
  return createNames({ system: nameSystem, lifetimes: { ...usualLifetimes, ...lifetimes }, now });
}

function routeTo(origin: string, { findProxy }: OriginPoolsOptions, names: HostNames): OriginRoute {
  const proxy = findProxy?.(origin);
  const { hostname } = proxy ?? new URL(origin);
  return { proxy, name: followName(names, hostname.replace(/^\[|\]$/g, "")) };
}

/** The connections to one origin, and the name that they follow. */
interface OriginConnections {
  readonly connections: Connections;
  readonly name: FollowedName | undefined;
}

/** The way to one origin: through a proxy or not, to the host of this name. */
interface OriginRoute {
  readonly proxy: URL | undefined;
  readonly name: FollowedName;
}

function poolOptions(options: OriginPoolsOptions, { lookup }: HostNames, { proxy, name }: OriginRoute): Pool.Options {
  const allowH2 = options.http2 ?? false;
  const socket = { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressAttempt };
  return {
    connections: options.connections ?? null,
    keepAliveTimeout: options.keepAlive ?? 30_000,
    allowH2,
    connect: watchedConnector({ timeout: connectReclaim, allowH2, ...socket, ...options.tls }, { proxy, ...name }),
  };
}
