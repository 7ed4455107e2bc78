import * as nodeTls from "node:tls";
import { isRecord } from "../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../src/engine/errors.ts";
import type { Transport } from "../../src/engine/ports/transport.ts";
import type { Check } from "../../src/engine/runtime/checks.ts";
import { type Duration, durationIn, type WithDurations } from "../../src/engine/runtime/duration.ts";
import { type NameLifetimes, usualLifetimes } from "../shared/http/dispatch/names.ts";
import { type ProxyOptions, proxiesOf, proxyFinder } from "../shared/http/dispatch/proxy.ts";
import { configuredTransport } from "../shared/http/dispatch/undici.ts";
import { anything, type Checks, checkedOptions, duration, msOf, object } from "../shared/options.ts";

export type { Transport } from "../../src/engine/ports/transport.ts";
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
   * How long the addresses of a name are used, in seconds or as text: `least` (5) and `most` (300) bound what name servers state, `usual` (60) holds
   * where none states a lifetime.
   */
  readonly dns?: Partial<WithDurations<NameLifetimes>> | undefined;
  /** How long an idle connection stays open when the server names no time of its own, in milliseconds or as text; `"30s"` unless given. */
  readonly keepAlive?: Duration | undefined;
  /** Certificates of private authorities as PEM text, trusted next to those that Node trusts, for proxies too. */
  readonly ca?: string | readonly string[] | undefined;
}

/** Seconds of a duration; not a number for anything else. */
function secondsOf(value: unknown): number {
  const isStated = typeof value === "number" || typeof value === "string";
  return isStated ? (durationIn("s", value) ?? Number.NaN) : Number.NaN;
}

const lifetimes: Check = [
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, stated]) => name in usualLifetimes && secondsOf(stated) >= 0 && secondsOf(stated) <= 86_400,
    ) &&
    secondsOf(value.least ?? usualLifetimes.least) <= secondsOf(value.most ?? usualLifetimes.most),
  "an object with `least`, `most` and `usual`, in seconds up to a day, `least` at most `most`",
];

const checks: Checks<NetworkOptions> = {
  proxy: object,
  environment: object,
  dns: lifetimes,
  keepAlive: duration,
  ca: anything,
};

/**
 * A transport for the option `transport` of an engine, which closes it, or of providers: `openai({ apiKey, transport: network({ proxy }) })`.
 * Several providers may share it; close it after them. Throws `invalid_configuration` naming the option that is wrong, and
 * where undici cannot dispatch (Bun).
 */
export function network(options: NetworkOptions): Transport {
  const { proxy: own, environment = {}, dns, keepAlive, ca } = checkedOptions(options, checks, { of: "network" });
  const proxy = own ?? proxiesOf(environment);
  const authorities = ca === undefined ? [] : typeof ca === "string" ? [ca] : [...ca];
  if (authorities.some((pem) => typeof pem !== "string" || !pem.includes("-----BEGIN CERTIFICATE-----"))) {
    throw new GatewayError("invalid_configuration", "`ca` of network must be certificates as PEM text.", {
      param: "ca",
    });
  }
  return configuredTransport({
    ...(dns === undefined ? {} : { lifetimes: inSeconds(dns) }),
    ...(keepAlive === undefined ? {} : { keepAlive: msOf(keepAlive, 30_000) }),
    ...(proxy === undefined ? {} : { findProxy: proxyFinder(proxy) }),
    ...(authorities.length === 0 ? {} : { tls: { ca: [...trusted(), ...authorities] } }),
  });
}

/** Lifetimes that were checked, in seconds. */
function inSeconds(dns: NonNullable<NetworkOptions["dns"]>): Partial<NameLifetimes> {
  const stated = Object.entries(dns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated.map(([name, value]) => [name, secondsOf(value)]));
}

/** What Node trusts by itself, which a list of one's own replaces; `NODE_EXTRA_CA_CERTS` is in it where Node can tell (22.15). */
function trusted(): readonly string[] {
  return nodeTls.getCACertificates?.("default") ?? nodeTls.rootCertificates;
}
