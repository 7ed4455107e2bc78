import { GatewayError, isGatewayError, toGatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { objectstore } from "../../../src/operations/portal/infrastructure/objectstore.ts";
import type { StoredSharedBucket } from "../../../src/operations/records/objectstore.ts";
import { add, remove } from "../../../src/portal/tenancy/record-access.ts";
import { checkSharedWith, shareId, sharesOf, shownShare } from "../shared/objectstore/shares.ts";
import { type BucketLocation, changePolicy } from "./bucket-policy.ts";
import { cephPrincipal } from "./options.ts";
import { type BucketOperation, type BucketOwner, endpointOf, ownerByProject, ownerOfBucket } from "./owners.ts";
import { withGrant, withoutGrants } from "./policy.ts";

/** `GET /objectstore/shared_bucket`. */
export async function listShares({ call }: BucketOperation) {
  return (await sharesOf(call)).map(shownShare);
}

/**
 * `POST /objectstore/shared_bucket`: lets a project read a bucket that one of the caller's projects owns. The store comes first: a
 * record without its statement would claim what is not so. When a step fails, also without an answer, the statement is taken back.
 */
export async function shareBucket(
  task: BucketOperation,
  input: InputOf<typeof objectstore.shareBucket>,
): Promise<undefined> {
  const { call, options } = task;
  const { bucket, project_id } = input;
  const endpoint = endpointOf(options, input.objectstore_url, "objectstore_url");
  await checkSharedWith(project_id, call);
  const owner = await ownerOfBucket(task, endpoint, bucket);
  if (owner.record.id === project_id) {
    throw new GatewayError("conflict", "The bucket belongs to this project already.", { param: "project_id" });
  }
  const id = shareId(call.region, endpoint, bucket, project_id);
  if ((await call.records.get("shared_bucket", id)) !== undefined) {
    throw new GatewayError("conflict", "The bucket is shared with this project already.", { param: "project_id" });
  }
  const principal = (options.principal ?? cephPrincipal)(project_id);
  const context = { endpoint, bucket, owner };
  try {
    await changePolicy(task, context, (policy) => withGrant(policy, { id, bucket, principal }));
    await add(call.records, "shared_bucket", shareOf(task, { ...context, id, project_id }));
  } catch (thrown) {
    if (!isRefusal(thrown)) await takeBack(task, context, { id, thrown });
    throw thrown;
  }
  return undefined;
}

/** After a clean refusal nothing was written, or what is written is the same share of somebody faster. */
function isRefusal(thrown: unknown): boolean {
  return isGatewayError(thrown) && ["conflict", "not_found", "invalid_request"].includes(thrown.code);
}

interface FailedShare {
  readonly id: string;
  readonly thrown: unknown;
}

/** Under a deadline of its own, also when the caller has hung up. What cannot be taken back is said by name. */
async function takeBack(task: BucketOperation, context: BucketLocation, { id, thrown }: FailedShare): Promise<void> {
  try {
    await task.afterwards((deadline) =>
      changePolicy({ ...task, deadline }, context, (policy) => withoutGrants(policy, [id])),
    );
  } catch (cause) {
    const { code, message } = toGatewayError(thrown);
    const left = `The policy of the bucket \`${context.bucket}\` may hold the statement ${id} still: take it out, or share and unshare the bucket.`;
    throw new GatewayError(code, `${message} ${left}`, { cause });
  }
}

interface NewShare extends BucketLocation {
  readonly id: string;
  readonly project_id: string;
}

/** A share belongs to the tenant of its bucket's owner, whichever tenant above created it. */
function shareOf(
  { call }: BucketOperation,
  { id, endpoint, bucket, project_id, owner: { record } }: NewShare,
): StoredSharedBucket {
  const { reseller, client_id, user_id = null } = record;
  const created_at = new Date(call.now).toISOString();
  const shared_by = call.caller.user.id;
  return {
    id,
    created_at,
    reseller,
    client_id,
    user_id,
    region: call.region,
    endpoint,
    bucket,
    owner_id: record.id,
    shared_by,
    project_id,
  };
}

/** `DELETE /objectstore/shared_bucket`: with all projects that it is shared with. Access ends at once. */
export async function unshareBucket(
  task: BucketOperation,
  { bucket }: InputOf<typeof objectstore.unshareBucket>,
): Promise<undefined> {
  const shares = await sharesOf(task.call, bucket);
  if (shares.length === 0) throw missingShare(bucket);
  for (const share of shares) {
    const owner = await ownerByProject(task, share.owner_id, "bucket");
    await endShare(task, share, owner);
    await remove(task.call.records, "shared_bucket", share.id);
  }
  return undefined;
}

function missingShare(bucket: string): GatewayError {
  return new GatewayError("not_found", `The bucket \`${bucket}\` is not shared.`, { param: "bucket" });
}

/** Takes the statement out of the policy; with the bucket its policy is gone too. */
async function endShare(
  task: BucketOperation,
  { id, endpoint, bucket }: StoredSharedBucket,
  owner: BucketOwner,
): Promise<void> {
  try {
    await changePolicy(task, { endpoint, bucket, owner }, (policy) => withoutGrants(policy, [id]));
  } catch (thrown) {
    if (!(thrown instanceof GatewayError && thrown.code === "not_found")) throw thrown;
  }
}
