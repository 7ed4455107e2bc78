import * as nodeTls from "node:tls";
import { isRecord } from "../../src/dialects/wire-values.ts";
import { GatewayError } from "../../src/errors.ts";
import type { Transport } from "../../src/ports/transport.ts";
import type { Check } from "../../src/runtime/checks.ts";
import { requireDispatch } from "../shared/http/dispatch/can-dispatch.ts";
import { type NameLifetimes, usualLifetimes } from "../shared/http/dispatch/names.ts";
import { type ProxyOptions, proxiesOf, proxyFinder } from "../shared/http/dispatch/proxy.ts";
import { undiciTransport } from "../shared/http/dispatch/undici.ts";
import { anything, type Checks, checkedOptions, object, positive } from "../shared/options.ts";

export type { Transport } from "../../src/ports/transport.ts";
export type { ProxyOptions } from "../shared/http/dispatch/proxy.ts";

/** How calls leave this machine. */
export interface NetworkOptions {
  /** Proxies; none unless given: nothing is read from the environment. */
  readonly proxy?: ProxyOptions | undefined;
  /**
   * Variables that name proxies where `proxy` is not given, e.g. `process.env`: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or in small
   * letters. None is read unless given.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * How long the addresses of a name are used, in seconds: `least` (5) and `most` (300) bound what name servers state, `usual` (60) holds
   * where none states a lifetime.
   */
  readonly dns?: Partial<NameLifetimes> | undefined;
  /** Milliseconds that an idle connection is kept when the server names no time of its own; 30,000 unless given. */
  readonly keepAlive?: number | undefined;
  /** Certificates of private authorities as PEM text, trusted next to those that Node trusts, for proxies too. */
  readonly ca?: string | readonly string[] | undefined;
}

const lifetimes: Check = [
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, seconds]) => name in usualLifetimes && typeof seconds === "number" && seconds >= 0 && seconds <= 86_400,
    ) &&
    Number(value.least ?? usualLifetimes.least) <= Number(value.most ?? usualLifetimes.most),
  "an object with `least`, `most` and `usual`, in seconds up to a day, `least` at most `most`",
];

const checks: Checks<NetworkOptions> = {
  proxy: object,
  environment: object,
  dns: lifetimes,
  keepAlive: positive,
  ca: anything,
};

/**
 * A transport for the option `transport` of an engine, which closes it, or of providers: `openai({ apiKey, transport: network({ proxy }) })`.
 * Several providers may share it; close it after them. Throws `invalid_configuration` naming the option that is wrong, and
 * where undici cannot dispatch (Bun).
 */
export function network(options: NetworkOptions): Transport {
  requireDispatch("network");
  const { proxy: own, environment = {}, dns, keepAlive, ca } = checkedOptions(options, checks, { of: "network" });
  const proxy = own ?? proxiesOf(environment);
  const authorities = ca === undefined ? [] : typeof ca === "string" ? [ca] : [...ca];
  if (authorities.some((pem) => typeof pem !== "string" || !pem.includes("-----BEGIN CERTIFICATE-----"))) {
    throw new GatewayError("invalid_configuration", "`ca` of network must be certificates as PEM text.", {
      param: "ca",
    });
  }
  return undiciTransport({
    ...(dns === undefined ? {} : { lifetimes: dns }),
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(proxy === undefined ? {} : { findProxy: proxyFinder(proxy) }),
    ...(authorities.length === 0 ? {} : { tls: { ca: [...trusted(), ...authorities] } }),
  });
}

/** What Node trusts by itself, which a list of one's own replaces; `NODE_EXTRA_CA_CERTS` is in it where Node can tell (22.15). */
function trusted(): readonly string[] {
  return nodeTls.getCACertificates?.("default") ?? nodeTls.rootCertificates;
}
