import { amount, type Checks, checkOptions, positive } from "../../engine/runtime/checks.ts";
import { deepestJson } from "../../engine/runtime/json/json-scan.ts";

/** How much a request's body may hold and use, in addition to its `bodyLimit`; omitted fields have their defaults. */
export interface BodyBounds {
  /** Bytes that a compressed body (gzip, deflate, brotli) may unpack to, as a multiple of those sent; 100 by default. The first 1 MB is free. */
  readonly unpackRatio?: number | undefined;
  /** JSON values of all kinds: members, elements, the whole; 500,000 by default. */
  readonly values?: number | undefined;
  /** Levels of nesting; 1,000 by default, and at most. */
  readonly depth?: number | undefined;
  /** Bytes of bodies of one key that are buffered at once, packed and unpacked; 128 MiB by default. One body always may. */
  readonly bufferedPerKey?: number | undefined;
  /** The same of all callers together; 512 MiB by default. */
  readonly buffered?: number | undefined;
  /** Milliseconds in which a body must arrive, from when it is asked for; 60,000 by default, 0 for ever. */
  readonly arrivalMs?: number | undefined;
}

/** The bounds with their defaults. */
export type SettledBounds = { readonly [Name in keyof BodyBounds]-?: number } & {
  /** Bytes of a body, before and after unpacking. */
  readonly bodyLimit: number;
};

const defaults = {
  unpackRatio: 100,
  values: 500_000,
  depth: deepestJson,
  bufferedPerKey: 128 * 1024 * 1024,
  buffered: 512 * 1024 * 1024,
  arrivalMs: 60_000,
} as const;

/** Bytes of a body, before and after unpacking, unless it is said otherwise. */
const defaultBodyLimit = 32 * 1024 * 1024;

const checks: Checks<BodyBounds> = {
  unpackRatio: [(value) => positive[0](value) && (value as number) >= 1, "a number of at least 1"],
  values: positive,
  depth: [(value) => positive[0](value) && (value as number) <= deepestJson, `a number from 1 to ${deepestJson}`],
  bufferedPerKey: positive,
  buffered: positive,
  arrivalMs: amount,
};

/** Fills in the defaults. Throws `invalid_configuration` that names a field. */
export function settleBounds(bodyLimit: number | undefined, bounds: BodyBounds = {}): SettledBounds {
  checkOptions(bounds, checks, { of: "`bodyBounds`" });
  const provided = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
  return { ...defaults, ...provided, bodyLimit: bodyLimit ?? defaultBodyLimit };
}

/** Bytes that a compressed body may unpack to whatever its ratio: JSON of a few repeated words is no attack. */
const freeBytes = 1_000_000;

/** The most bytes that a compressed body of this size may unpack to. */
export function unpackedLimit({ bodyLimit, unpackRatio }: SettledBounds, packed: number): number {
  return Math.min(bodyLimit, Math.max(freeBytes, Math.floor(packed * unpackRatio)));
}
