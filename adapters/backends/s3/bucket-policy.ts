import { abortError } from "../../shared/http/failure.ts";
import { missingBucket } from "../shared/objectstore/shares.ts";
import { untilEnded } from "../shared/work.ts";
import { type Bucketeer, withStore } from "./client.ts";
import { faultName } from "./faults.ts";
import type { Owner, Task } from "./owners.ts";
import { isEmpty, type Policy, readPolicy } from "./policy.ts";

/** A bucket, where it is, and who owns it. */
export interface Place {
  readonly endpoint: string;
  readonly bucket: string;
  readonly owner: Owner;
}

/** Reads, changes and writes the whole policy, which is the only way that S3 has; so one change waits for the other, of whichever gateway. */
export function changePolicy(task: Task, place: Place, change: (policy: Policy) => Policy): Promise<void> {
  const { signal } = task.work;
  const waiting = task.call.turns(`s3/${place.endpoint}/${place.bucket}`, async () => {
    if (signal.aborted) throw abortError(signal); // nobody waits for it any more
    await rewritePolicy(task, place, change);
  });
  return untilEnded(waiting, signal);
}

async function rewritePolicy(
  { options, work }: Task,
  { endpoint, bucket, owner }: Place,
  change: (policy: Policy) => Policy,
): Promise<void> {
  await withStore({ options, endpoint, keys: owner.keys, work }, async (store) => {
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

function getPolicy({ sdk, send }: Bucketeer, bucket: string): Promise<string | undefined> {
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

async function deletePolicy({ sdk, send }: Bucketeer, bucket: string): Promise<void> {
  await send((client, abortSignal) =>
    client.send(new sdk.DeleteBucketPolicyCommand({ Bucket: bucket }), { abortSignal }),
  );
}
