import { systemClock } from "../../../system.ts";
import type { ObjectStore } from "./objects.ts";
import { readSigned } from "./signed-url.ts";

/** The object store's answer to a request for a shared object. */
export interface ObjectAnswer {
  readonly status: 200 | 403 | 404 | 405;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What is needed to serve shared objects. */
export interface ObjectServingContext {
  readonly objects: ObjectStore;
  readonly signingKey: Uint8Array;
  readonly clock?: { now(): number } | undefined;
}

/**
 * Answers a request for a shared object; `address` is path and query behind the endpoint. A request without a valid address
 * learns nothing: neither whether the object exists nor why the address is invalid.
 */
export async function serveObject(
  context: ObjectServingContext,
  method: string,
  address: string,
): Promise<ObjectAnswer> {
  if (method !== "GET" && method !== "HEAD") return say(405, "The object store serves GET and HEAD.\n");
  const { objects, signingKey, clock = systemClock } = context;
  const shared = readSigned(address, { signingKey, now: clock.now() });
  if (shared === undefined) return say(403, "This address is not good, or is over.\n");
  const version = await objects.find(shared.bucket, shared.key);
  if (version === undefined) return say(404, "The object is gone.\n");
  const body = await objects.read(version);
  const headers = {
    "content-type": "application/octet-stream", // never a page: what tenants store is not ours
    "content-disposition": "attachment",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    etag: `"${version.sum}"`,
    "content-length": String(body.length),
  };
  return { status: 200, headers, body: method === "HEAD" ? new Uint8Array() : body };
}

function say(status: 403 | 404 | 405, text: string): ObjectAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: Buffer.from(text) };
}
