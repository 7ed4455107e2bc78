import { type ErrorCode, GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { StoredKeyPair } from "../../../src/operations/records/objectstore.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import { keyPairPlace } from "../../../src/portal/call/sealed-places.ts";
import { readAll } from "../../../src/portal/tenancy/record-access.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import { missingBucket, readPair } from "../shared/objectstore/shares.ts";
import { type KeyPair, withStore } from "./client.ts";
import { faultName } from "./faults.ts";
import type { S3Options } from "./options.ts";

/** One operation on its way. */
export interface BucketOperation {
  readonly options: S3Options;
  readonly call: PortalCall;
  readonly deadline: OperationDeadline;
  /** Runs what must be done after a failure, under a deadline of its own and for nobody who could hang up. */
  afterwards<T>(run: (deadline: OperationDeadline) => Promise<T>): Promise<T>;
}

/** A key pair of the caller's scope, and whose it is. */
export interface BucketOwner {
  readonly record: StoredKeyPair;
  readonly keys: KeyPair;
}

function ownerOf(record: StoredKeyPair, { secrets }: PortalCall): BucketOwner {
  const secretAccessKey = secrets.open(record.sealed_secret_key, keyPairPlace(record.id));
  return { record, keys: { accessKeyId: record.access_key, secretAccessKey } };
}

/** The key pair of a project of the caller's scope. Throws `not_found`. */
export async function ownerByProject(
  { call }: BucketOperation,
  projectId: string,
  param = "project_id",
): Promise<BucketOwner> {
  return ownerOf(await readPair(projectId, call, param), call);
}

/**
 * The one key pair of the caller's scope whose project owns the bucket. The store is asked for the buckets of each, since only its
 * owner lists a bucket, while one that is shared can be read by others too. Throws `not_found`.
 */
export async function ownerOfBucket(task: BucketOperation, endpoint: string, bucket: string): Promise<BucketOwner> {
  let failure: GatewayError | undefined;
  for (const record of await readAll(task.call.records, "keypair")) {
    try {
      const owner = ownerOf(record, task.call);
      if (await owns(task, { endpoint, bucket, keys: owner.keys })) return owner;
    } catch (thrown) {
      // A pair that the store refuses, or that cannot be read any more, does not hide the bucket of another one.
      if (!isGatewayError(thrown) || !ofOnePair.includes(thrown.code)) throw thrown;
      failure ??= thrown;
    }
  }
  throw failure ?? missingBucket(bucket);
}

/**
 * Returns the error of a request that a store refused on the bucket of a named project. What is refused in a bucket that the project does
 * not own is a bucket that is not there: the store is asked whose it is.
 */
export async function refusedIn(task: BucketOperation, claim: BucketClaim, thrown: unknown): Promise<unknown> {
  const isRefused = isGatewayError(thrown) && faultName(thrown.cause) === "AccessDenied";
  return isRefused && !(await owns(task, claim)) ? missingBucket(claim.bucket) : thrown;
}

const ofOnePair: readonly ErrorCode[] = ["backend_error", "invalid_configuration"];

interface BucketClaim {
  readonly endpoint: string;
  readonly bucket: string;
  readonly keys: KeyPair;
}

async function owns({ options, deadline }: BucketOperation, { endpoint, bucket, keys }: BucketClaim): Promise<boolean> {
  const listed = await withStore({ options, endpoint, keys, deadline }, ({ sdk, send }) =>
    send((client, abortSignal) => client.send(new sdk.ListBucketsCommand({}), { abortSignal })),
  );
  if (listed.Owner === undefined) throw new GatewayError("backend_error", "The object store gave no list of buckets.");
  return listed.Buckets?.some(({ Name }) => Name === bucket) === true;
}

/** The configured address that a caller means. A request signed for a project goes to no other. Throws `invalid_request`. */
export function endpointOf({ endpoints }: S3Options, requested: string, param: string): string {
  const filters = URL.parse(requested)?.href;
  const found = endpoints.find((endpoint) => URL.parse(endpoint)?.href === filters);
  if (found !== undefined) return found;
  const message = `\`${param}\` is no address of this region's object store; known are: ${endpoints.join(", ")}.`;
  throw new GatewayError("invalid_request", message, { param });
}
