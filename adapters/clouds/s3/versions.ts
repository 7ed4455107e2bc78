import type { ListObjectVersionsCommandOutput, ObjectIdentifier } from "@aws-sdk/client-s3";
import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { objectstore } from "../../../src/operations/portal/infrastructure/objectstore.ts";
import { type S3Caller, withStore } from "./client.ts";
import { faultName } from "./faults.ts";
import { type BucketOperation, endpointOf, ownerByProject, refusedIn } from "./owners.ts";
import { type Remainder, remainderError, type Undeleted } from "./undeleted.ts";

/**
 * `DELETE /objectstore/objects/versions`: all objects of a bucket with all their versions and marks of deletion, until none is listed but
 * those that the store does not delete. An error says how many were deleted before it, and names what is left and why.
 */
export async function deleteVersions(
  task: BucketOperation,
  input: InputOf<typeof objectstore.deleteVersions>,
): Promise<undefined> {
  const { options, deadline } = task;
  const { bucket, project_id } = input;
  const endpoint = endpointOf(options, input.objectstore_url, "objectstore_url");
  const { keys } = await ownerByProject(task, project_id);
  const progress = { deleted: 0 };
  try {
    await withStore({ options, endpoint, keys, deadline }, (store) =>
      emptyWhole(store, { bucket, pageSize: options.pageSize ?? 1_000 }, progress),
    );
  } catch (thrown) {
    throw withCount(await refusedIn(task, { endpoint, bucket, keys }, thrown), progress.deleted);
  }
  return undefined;
}

/** Deletes all that is in a bucket. Throws `conflict` naming what the store does not delete. */
export async function emptyWhole(store: S3Caller, what: Emptying, progress = { deleted: 0 }): Promise<void> {
  const left = await emptyBucket(store, what, progress);
  if (left.first.length > 0) throw await remainderError(store, what.bucket, left);
}

/** Times that a bucket is gone through; more only helps somebody who writes faster than we delete. */
const passes = 10;

/** Versions of a page that the store did not delete, of which so many are named. */
const mostNamed = 10;

interface Emptying {
  readonly bucket: string;
  readonly pageSize: number;
}

/** Returns what the last pass left: a pass goes to the end of the list, whatever the store does not delete on the way. */
async function emptyBucket(store: S3Caller, what: Emptying, progress: { deleted: number }): Promise<Remainder> {
  for (let pass = 0; pass < passes; pass++) {
    const before = progress.deleted;
    const left: { first: Undeleted[]; count: number } = { first: [], count: 0 };
    for await (const page of listPages(store, what)) {
      const undeleted = await deletePage(store, what.bucket, page);
      progress.deleted += page.length - undeleted.length;
      left.count += undeleted.length;
      left.first.push(...undeleted.slice(0, mostNamed - left.first.length));
    }
    if (progress.deleted === before) return left;
  }
  throw new GatewayError("conflict", "Objects are written into the bucket faster than they can be deleted.");
}

/** Versions and marks of deletion, page by page. The next page begins behind a key **and** a version: a key can have more than a page. */
async function* listPages({ sdk, send }: S3Caller, { bucket, pageSize }: Emptying): AsyncGenerator<ObjectIdentifier[]> {
  let KeyMarker: string | undefined;
  let VersionIdMarker: string | undefined;
  do {
    const input = { Bucket: bucket, MaxKeys: pageSize, KeyMarker, VersionIdMarker, EncodingType: "url" } as const;
    const listed = await send<ListObjectVersionsCommandOutput>((client, abortSignal) =>
      client.send(new sdk.ListObjectVersionsCommand(input), { abortSignal }),
    );
    if (listed.Name !== bucket)
      throw new GatewayError("backend_error", "The object store gave no list of the bucket's versions.");
    const entries = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])];
    if (entries.length > 0)
      yield entries.map(({ Key = "", VersionId }) => ({ Key: decodeKey(listed, Key), VersionId }));
    KeyMarker = listed.IsTruncated === true ? decodeKey(listed, listed.NextKeyMarker ?? "") : undefined;
    VersionIdMarker = listed.NextVersionIdMarker;
  } while (KeyMarker !== undefined);
}

/** A key as it is: XML cannot carry every character, so keys are asked for in the form of URLs. Stores that know no other form send them as they are. */
function decodeKey({ EncodingType }: ListObjectVersionsCommandOutput, key: string): string {
  return EncodingType === "url" ? decodeURIComponent(key.replaceAll("+", " ")) : key;
}

/** Characters that XML cannot carry, or changes on the way: such a key is deleted by itself, where it stands in the path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const beyondXml = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/;

/** Deletes what it can of a page; gives the rest. */
async function deletePage(store: S3Caller, bucket: string, page: readonly ObjectIdentifier[]): Promise<Undeleted[]> {
  const odd = page.filter(({ Key = "" }) => beyondXml.test(Key));
  const left: Undeleted[] = [];
  for (const one of odd) left.push(...(await deleteOne(store, bucket, one)));
  const plain = page.filter((entry) => !odd.includes(entry));
  return plain.length === 0 ? left : [...left, ...(await deleteTogether(store, bucket, plain))];
}

async function deleteOne({ sdk, send }: S3Caller, bucket: string, one: ObjectIdentifier): Promise<Undeleted[]> {
  const { Key = "", VersionId } = one;
  const input = { Bucket: bucket, Key, VersionId };
  try {
    await send((client, abortSignal) => client.send(new sdk.DeleteObjectCommand(input), { abortSignal }));
    return [];
  } catch (thrown) {
    const code = isGatewayError(thrown) ? faultName(thrown.cause) : undefined;
    if (code !== "AccessDenied" && code !== "InvalidRequest") throw thrown; // nothing about this object
    return [{ key: Key, version: VersionId, code }];
  }
}

/** A 200 may carry errors: what was not deleted is still there. Stores delete side by side, so their errors come in any order; ours is by key. */
async function deleteTogether(
  { sdk, send }: S3Caller,
  bucket: string,
  page: readonly ObjectIdentifier[],
): Promise<Undeleted[]> {
  const Delete = { Objects: [...page], Quiet: true };
  const { Errors = [] } = await send((client, abortSignal) =>
    client.send(new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete }), { abortSignal }),
  );
  const left = Errors.map(({ Key = "", VersionId, Code, Message }) => {
    return { key: Key, version: VersionId, code: Code, message: Message };
  });
  return left.toSorted((one, other) => compare(one.key, other.key) || compare(one.version ?? "", other.version ?? ""));
}

function withCount(thrown: unknown, deleted: number): unknown {
  if (!isGatewayError(thrown) || deleted === 0) return thrown;
  const message = `${thrown.message} ${deleted} objects were deleted before.`;
  return new GatewayError(thrown.code, message, { param: thrown.param, cause: thrown.cause ?? thrown });
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
