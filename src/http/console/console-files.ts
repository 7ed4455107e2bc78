import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { GatewayError } from "../../engine/errors.ts";
import { type Coding, chooseCoding, hasTag } from "../encoding/coding.ts";
import { type HttpRequest, type HttpResponse, readHeader } from "../message.ts";
import type { ConsoleFile, ConsoleFiles } from "./index.ts";

/** The page runs its own scripts and styles, talks to its own origin, and turns no text into markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-cache",
} as const;

/** What is asked for. */
interface ConsoleRequest {
  readonly files: ConsoleFiles;
  /** The address of the API, relative to the console's own. */
  readonly api: string;
  /** Below `/console/`, decoded. */
  readonly path: string;
}

const page = "index.html";

/**
 * The file with that path, compressed as the client accepts it, or the page for a path of the app: one that is no file's and has no
 * ending. A file's name holds the hash of its content, so a client keeps it for a year; the page is asked for again each time.
 * Throws `not_found` for a file that there is not.
 */
export async function showConsole({ files, api, path }: ConsoleRequest, request: HttpRequest): Promise<HttpResponse> {
  const file = files.manifest.find((one) => one.path === path && one.path !== page);
  if (file) return sendFile(files, file, request);
  const [name = ""] = path.split("/").slice(-1);
  if (name.includes(".") || path.includes(".."))
    throw new GatewayError("not_found", `The console has no file ${path}.`);
  return sendPage({ files, api, prefix: request.prefix });
}

async function sendPage({ files, api, prefix }: Pick<ConsoleRequest, "files" | "api"> & { prefix: string }) {
  const written = (await readStored(files, page, "identity")).toString("utf8");
  const base = escapeAttribute(`${prefix}/console/`);
  const body = written.replace('href="/__base__/"', `href="${base}"`).replace("__api__", api);
  return { status: 200, headers: { ...pageHeaders }, body };
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

async function sendFile(files: ConsoleFiles, file: ConsoleFile, { headers }: HttpRequest): Promise<HttpResponse> {
  const { path, type, sha256 } = file;
  const coding = chooseCoding(readHeader(headers, "accept-encoding"));
  const etag = `"${sha256.slice(0, 32)}-${coding === "gzip" ? "gz" : coding}"`;
  const common = {
    etag,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  };
  if (hasTag(readHeader(headers, "if-none-match"), etag)) return { status: 304, headers: common, body: "" };
  const body = await readStored(files, path, coding);
  const encoded = coding === "identity" ? {} : { "content-encoding": coding };
  return { status: 200, headers: { ...common, ...encoded, "content-type": type }, body };
}

/** What was read, by its path: the files do not change while a process lives. */
const read = new Map<string, Promise<NonSharedBuffer>>();

const inflate = promisify<NonSharedBuffer, NonSharedBuffer>(gunzip);

/** Reads a file of the folder in that coding, once. */
function readStored({ folder }: ConsoleFiles, path: string, coding: Coding): Promise<NonSharedBuffer> {
  const key = join(folder, `${path}.${coding}`);
  const known = read.get(key) ?? readEncoded(join(folder, path), coding);
  read.set(key, known);
  known.catch(() => read.delete(key));
  return known;
}

/** A client that takes no compression gets what `.gz` unpacks to: the build keeps no other copy. */
async function readEncoded(file: string, coding: Coding): Promise<NonSharedBuffer> {
  if (coding !== "identity") return readFile(`${file}.${coding === "gzip" ? "gz" : coding}`);
  return inflate(await readFile(`${file}.gz`));
}
