import { createHash } from "node:crypto";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type {
  StoredKeyPair,
  StoredSharedBucket,
  StoredSharedUrl,
} from "../../../../src/operations/records/objectstore.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import { readAll, write } from "../../../../src/portal/tenancy/record-access.ts";

/** The longest that a shared address is good: what the signature of S3 allows. */
const longestShare = 604_800;

/** The id of a share, from what it shares: letters and digits only, so that it can name a statement of a policy. */
export function shareId(...parts: readonly string[]): string {
  return `tollgate${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)}`;
}

/** Seconds that a shared address is good, from seconds (a number or a text) or an instant; a week at most, even where more is asked for. */
export function shareSeconds(expire: number | string, now: number): number {
  const seconds = /^\d+$/.test(String(expire)) ? Number(expire) : Math.floor((Date.parse(String(expire)) - now) / 1000);
  if (seconds >= 1) return Math.min(seconds, longestShare);
  throw new GatewayError("invalid_request", "`expire` must be in the future.", { param: "expire" });
}

/**
 * The project that a bucket is shared with must be one that the caller may see, or, for the provider, may be any. Throws `not_found`,
 * and `invalid_request` for an id that would mean more than one project in a policy.
 */
export async function checkSharedWith(projectId: string, { caller, records }: PortalCall): Promise<void> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(projectId)) {
    throw new GatewayError("invalid_request", "`project_id` must be the id of one project.", { param: "project_id" });
  }
  const isProvider = Object.values(caller.scope).every((level) => level === undefined);
  if (isProvider || (await records.get("cloud_project", projectId)) !== undefined) return;
  throw new GatewayError("not_found", `There is no project \`${projectId}\`.`, { param: "project_id" });
}

/** The shares of a bucket in the caller's region; all buckets' without one. */
export async function sharesOf(call: PortalCall, bucket?: string): Promise<StoredSharedBucket[]> {
  const shares = await readAll(call.records, "shared_bucket", bucket === undefined ? undefined : { bucket });
  return shares.filter(({ region }) => region === call.region);
}

/** A share of a bucket as callers read it. */
export function shownShare({ id, bucket, project_id, shared_by }: StoredSharedBucket) {
  return { bucket, key: id, project_id, user_id: shared_by };
}

/** Keeps the address of an object; sharing it again replaces what was there. */
export async function keepUrl(call: PortalCall, share: StoredSharedUrl): Promise<void> {
  await write(call.records, "shared_url", {
    id: share.id,
    by: (present) => ({ ...share, created_at: present?.created_at ?? share.created_at }),
  });
}

/** The shared address of an object that is still good. Throws `not_found`. */
export async function readUrl(call: PortalCall, bucket: string, key: string): Promise<StoredSharedUrl> {
  const shares = await readAll(call.records, "shared_url", { bucket });
  const found = shares
    .filter(({ region, object_key }) => region === call.region && object_key === key)
    .filter(({ expires_at }) => Date.parse(expires_at) > call.now)
    .toSorted((one, other) => (one.signed_at < other.signed_at ? 1 : -1))[0];
  if (found !== undefined) return found;
  throw new GatewayError("not_found", `The object \`${key}\` of \`${bucket}\` is not shared by an address.`, {
    param: "key",
  });
}

/** The key pair of a project of the caller's scope. Throws `not_found`. */
export async function readPair(
  projectId: string,
  { records }: PortalCall,
  param = "project_id",
): Promise<StoredKeyPair> {
  const stored = await records.get("keypair", projectId);
  if (stored !== undefined) return stored.record;
  const message = `There is no key pair of the project \`${projectId}\`: set one with \`PATCH /keypair\`.`;
  throw new GatewayError("not_found", message, { param });
}

/** The error of a bucket that nobody in the caller's scope owns. */
export function missingBucket(bucket: string): GatewayError {
  return new GatewayError("not_found", `There is no bucket \`${bucket}\`.`, { param: "bucket" });
}

/** Forgets how a bucket that is gone was shared. */
export async function forgetShares(call: PortalCall, bucket: string): Promise<void> {
  for (const kind of ["shared_bucket", "shared_url"] as const) {
    for (const { id, region } of await readAll(call.records, kind, { bucket })) {
      if (region === call.region) await call.records.remove(kind, id);
    }
  }
}
