import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { objectstore } from "../../../src/operations/portal/infrastructure/objectstore.ts";
import { sharedUrls, sharedWithMe } from "../shared/objectstore/both-sides.ts";
import { readPage, writeMarker } from "../shared/objectstore/listing.ts";
import { missingBucket } from "../shared/objectstore/shares.ts";
import { withStore } from "./client.ts";
import { faultName } from "./faults.ts";
import { type BucketOperation, endpointOf, ownerByProject } from "./owners.ts";

/** `GET /objectstore/buckets`: the buckets that a project owns. */
export async function listBuckets(task: BucketOperation, input: InputOf<typeof objectstore.buckets>) {
  const { options, deadline } = task;
  const { project_id } = input;
  const endpoint = endpointOf(options, input.objectstore_url, "objectstore_url");
  const { keys } = await ownerByProject(task, project_id);
  const { Owner, Buckets = [] } = await withStore({ options, endpoint, keys, deadline }, ({ sdk, send }) =>
    send((client, abortSignal) => client.send(new sdk.ListBucketsCommand({}), { abortSignal })),
  );
  if (Owner === undefined) throw new GatewayError("backend_error", "The object store gave no list of buckets.");
  return Buckets.flatMap(({ Name, CreationDate }) =>
    Name === undefined
      ? []
      : [{ name: Name, project_id, ...(CreationDate === undefined ? {} : { created_at: CreationDate.toISOString() }) }],
  );
}

/**
 * `GET /objectstore/objects`: one page of the objects of a bucket that a project owns or may read. A bucket that it may not read is not
 * found, as one that is not there.
 */
export async function listObjects(task: BucketOperation, input: InputOf<typeof objectstore.objects>) {
  const { options, deadline, call } = task;
  const { bucket, project_id, prefix, delimiter } = input;
  const { limit, marker } = readPage(call);
  const endpoint = endpointOf(options, input.objectstore_url, "objectstore_url");
  const { keys } = await ownerByProject(task, project_id);
  const question = { Bucket: bucket, Prefix: prefix, Delimiter: delimiter, MaxKeys: limit, ContinuationToken: marker };
  const answer = await withStore({ options, endpoint, keys, deadline }, ({ sdk, send }) =>
    send((client, abortSignal) => client.send(new sdk.ListObjectsV2Command(question), { abortSignal })),
  ).catch((thrown: unknown) => {
    throw thrown instanceof GatewayError && faultName(thrown.cause) === "AccessDenied" ? missingBucket(bucket) : thrown;
  });
  call.showNext?.(writeMarker(answer.IsTruncated === true ? answer.NextContinuationToken : undefined));
  const objects = (answer.Contents ?? []).map(({ Key = "", Size = 0, LastModified }) => ({
    ...{ key: Key, is_prefix: false, size: Size },
    ...(LastModified === undefined ? {} : { last_modified: LastModified.toISOString() }),
  }));
  const prefixes = (answer.CommonPrefixes ?? []).map(({ Prefix = "" }) => ({ key: Prefix, is_prefix: true }));
  return [...objects, ...prefixes].toSorted((one, other) =>
    Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)),
  );
}

/** `GET /objectstore/shared_urls`. */
export const listSharedObjects = ({ call }: BucketOperation) => sharedUrls(call);

/** `GET /objectstore/shared_with_me`. */
export const listReceived = ({ call }: BucketOperation) => sharedWithMe(call);
