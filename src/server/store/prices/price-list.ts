import { hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { GatewayError } from "../../../engine/errors.ts";
import { readConfigFile } from "../../config/file.ts";

/** A price list as its source holds it. */
export interface PriceList {
  readonly content: Readonly<Record<string, unknown>>;
  /** Differs when the content may differ. */
  readonly tag: string;
}

/** Larger than any published list by far. */
const mostBytes = 64 * 1024 * 1024;
const longestMs = 60_000;

/** Whether a source is an address and not a file. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Whether a source can be read again while the process runs; a module is loaded once. */
export function isRereadable(source: string): boolean {
  return isAddress(source) || [".json", ".yaml", ".yml"].includes(extname(source));
}

/** An address as messages name it, without a password, parameters or a fragment. */
export function nameOfSource(source: string): string {
  if (!isAddress(source) || !URL.canParse(source)) return source;
  const { origin, pathname } = new URL(source);
  return `${origin}${pathname}`;
}

/**
 * Reads a price list from a file, relative to the folder, or from an address. Resolves with `undefined` when it is the one with the known
 * tag. Throws `invalid_configuration` naming the source when it cannot be read or holds no object.
 */
export async function readPriceList(
  source: string,
  { folder, tag: known }: { readonly folder: string; readonly tag?: string | undefined },
): Promise<PriceList | undefined> {
  if (isAddress(source)) return fetchList(source, known);
  const tag = await fileTag(isAbsolute(source) ? source : join(folder, source));
  if (tag !== undefined && tag === known) return undefined;
  const file = await readConfigFile(folder, source, { mayRepeat: true });
  return { content: asPrices(source, file?.value), tag: tag ?? "" };
}

async function fileTag(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined); // the reader says what is wrong
  return found && `${found.ino}/${found.mtimeNs}/${found.size}`;
}

async function fetchList(source: string, known: string | undefined): Promise<PriceList | undefined> {
  const isEntityTag = known?.startsWith("etag ");
  const headers = { accept: "application/json", ...(isEntityTag ? { "if-none-match": known?.slice(5) ?? "" } : {}) };
  const response = await fetch(source, { headers, signal: AbortSignal.timeout(longestMs) }).catch((cause) => {
    throw unusable(source, `cannot be fetched: ${reasonOf(cause)}`);
  });
  if (response.status === 304 && isEntityTag) return undefined;
  if (!response.ok) throw unusable(source, `cannot be fetched: status ${response.status}`);
  const text = await readText(source, response);
  const entityTag = response.headers.get("etag");
  const tag = entityTag === null ? `sha256 ${hash("sha256", text, "hex")}` : `etag ${entityTag}`;
  return tag === known ? undefined : { content: asPrices(source, parse(source, text)), tag };
}

async function readText(source: string, response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > mostBytes) break;
      pieces.push(piece);
    }
  } catch (cause) {
    throw unusable(source, `broke off: ${reasonOf(cause)}`);
  }
  if (size > mostBytes) throw unusable(source, `is larger than ${mostBytes / 1024 / 1024} MB`);
  return Buffer.concat(pieces).toString("utf8");
}

function parse(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(source, "holds no JSON");
  }
}

function asPrices(source: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw unusable(source, "holds no prices by model");
}

function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause as Error; // seam: what fetch throws
  return inner instanceof Error ? inner.message : message;
}

function unusable(source: string, reason: string): GatewayError {
  return new GatewayError("invalid_configuration", `${nameOfSource(source)} ${reason}.`, { param: "prices" });
}
