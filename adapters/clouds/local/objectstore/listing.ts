import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import { readPage, writeMarker } from "../../shared/objectstore/listing.ts";
import * as shares from "../../shared/objectstore/shares.ts";
import { mayRead, type ObjectStore, type ObjectVersion } from "./objects.ts";

/** A page of a bucket, as S3 cuts it. */
interface Listing {
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
  /** The last key or prefix of the page before. */
  readonly marker: string | undefined;
}

type ListedObject = Awaited<ReturnType<Required<AreaBackend<"objectstore">>["objects"]>>[number];

/** The buckets that a project owns. The caller must reach its key pair. */
export async function listBuckets(objects: ObjectStore, project_id: string, call: PortalCall) {
  await shares.readPair(project_id, call);
  const own = (await objects.buckets()).filter((bucket) => bucket.project_id === project_id);
  return own
    .map(({ name, created_at }) => ({ name, project_id, ...(created_at === undefined ? {} : { created_at }) }))
    .toSorted((one, other) => byBytes(one.name, other.name));
}

/** One page of the objects of a bucket that a project owns or may read. Throws `not_found` for any other bucket. */
export async function listObjects(
  objects: ObjectStore,
  input: { bucket: string; project_id: string; prefix?: string | undefined; delimiter?: string | undefined },
  call: PortalCall,
): Promise<ListedObject[]> {
  const { bucket: name, project_id, prefix = "", delimiter = "" } = input;
  const { limit, marker } = readPage(call);
  await shares.readPair(project_id, call);
  const bucket = await objects.findBucket(name);
  if (bucket === undefined || !mayRead(bucket, project_id)) throw shares.missingBucket(name);
  const { entries, next } = cutPage(newestOf(await objects.versions(name)), { prefix, delimiter, limit, marker });
  call.showNext?.(writeMarker(next));
  return entries;
}

/** The newest versions of the objects that are not deleted. */
function newestOf(versions: readonly ObjectVersion[]): ObjectVersion[] {
  const newest = new Map<string, ObjectVersion>();
  for (const version of versions) {
    const present = newest.get(version.key);
    if (present === undefined || present.version_id < version.version_id) newest.set(version.key, version);
  }
  return [...newest.values()].filter(({ isDeleted }) => !isDeleted);
}

/** Keys in the order of their bytes; those that share what comes before a delimiter are one entry. */
export function cutPage(
  versions: readonly ObjectVersion[],
  { prefix, delimiter, limit, marker }: Listing,
): { readonly entries: ListedObject[]; readonly next: string | undefined } {
  const found = new Map<string, ListedObject>();
  for (const version of versions.filter(({ key }) => key.startsWith(prefix))) {
    const entry = entryOf(version, { prefix, delimiter });
    if (marker === undefined || byBytes(entry.key, marker) > 0) found.set(entry.key, entry);
  }
  const sorted = [...found.values()].toSorted((one, other) => byBytes(one.key, other.key));
  const entries = sorted.slice(0, limit);
  return { entries, next: sorted.length > limit ? entries.at(-1)?.key : undefined };
}

function entryOf(version: ObjectVersion, { prefix, delimiter }: Pick<Listing, "prefix" | "delimiter">): ListedObject {
  const { key, size, modified_at } = version;
  const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  if (end >= 0) return { key: key.slice(0, end + delimiter.length), is_prefix: true };
  return { key, is_prefix: false, size, ...(modified_at === undefined ? {} : { last_modified: modified_at }) };
}

/** S3 sorts keys by the bytes of their UTF-8. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
