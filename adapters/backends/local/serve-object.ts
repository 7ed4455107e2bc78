import { systemClock } from "../../system.ts";
import type { ObjectStore } from "./objects.ts";
import { readSigned } from "./signed-url.ts";

/** An answer of the object store to whoever has an address. */
export interface ObjectAnswer {
  readonly status: 200 | 403 | 404 | 405;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What is needed to serve shared objects. */
export interface ServingGround {
  readonly objects: ObjectStore;
  readonly signingKey: Uint8Array;
  readonly clock?: { now(): number } | undefined;
}

/**
 * Answers a request for a shared object; `address` is path and query behind the endpoint. Whoever has no good address is told
 * nothing: neither whether the object is there nor why the address is no good.
 */
export async function serveObject(ground: ServingGround, method: string, address: string): Promise<ObjectAnswer> {
  if (method !== "GET" && method !== "HEAD") return say(405, "The object store serves GET and HEAD.\n");
  const { objects, signingKey, clock = systemClock } = ground;
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
