import { abortError } from "../../shared/http/failure.ts";
import { untilEnded } from "../shared/deadline.ts";
import { missingBucket } from "../shared/objectstore/shares.ts";
import { type S3Caller, withStore } from "./client.ts";
import { faultName } from "./faults.ts";
import type { BucketOperation, BucketOwner } from "./owners.ts";
import { type BucketPolicy, isEmpty, readPolicy } from "./policy.ts";

/** A bucket, where it is, and who owns it. */
export interface BucketLocation {
  readonly endpoint: string;
  readonly bucket: string;
  readonly owner: BucketOwner;
}

/** Reads, changes and writes the whole policy, which is the only way that S3 has; so one change waits for the other, of whichever gateway. */
export function changePolicy(
  task: BucketOperation,
  context: BucketLocation,
  change: (policy: BucketPolicy) => BucketPolicy,
): Promise<void> {
  const { signal } = task.deadline;
  const waiting = task.call.withLease(`s3/${context.endpoint}/${context.bucket}`, async () => {
    if (signal.aborted) throw abortError(signal); // nobody waits for it any more
    await rewritePolicy(task, context, change);
  });
  return untilEnded(waiting, signal);
}

async function rewritePolicy(
  { options, deadline }: BucketOperation,
  { endpoint, bucket, owner }: BucketLocation,
  change: (policy: BucketPolicy) => BucketPolicy,
): Promise<void> {
  await withStore({ options, endpoint, keys: owner.keys, deadline }, async (store) => {
    const before = readPolicy(await getPolicy(store, bucket));
    const after = change(before);
    if (isEmpty(after)) {
      if (!isEmpty(before)) await deletePolicy(store, bucket);
      return;
    }
    const Policy = JSON.stringify(after);
    const { sdk, send } = store;
    await send((client, abortSignal) =>
      client.send(new sdk.PutBucketPolicyCommand({ Bucket: bucket, Policy }), { abortSignal }),
    );
  });
}

function getPolicy({ sdk, send }: S3Caller, bucket: string): Promise<string | undefined> {
  return send(async (client, abortSignal) => {
    try {
      return (await client.send(new sdk.GetBucketPolicyCommand({ Bucket: bucket }), { abortSignal })).Policy;
    } catch (thrown) {
      if (faultName(thrown) === "NoSuchBucketPolicy") return undefined;
      if (faultName(thrown) === "NoSuchBucket") throw missingBucket(bucket);
      throw thrown;
    }
  });
}

async function deletePolicy({ sdk, send }: S3Caller, bucket: string): Promise<void> {
  await send((client, abortSignal) =>
    client.send(new sdk.DeleteBucketPolicyCommand({ Bucket: bucket }), { abortSignal }),
  );
}
