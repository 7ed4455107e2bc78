import type { InputOf } from "../../../src/operations/calls.ts";
import type { objectstore } from "../../../src/operations/portal/infrastructure/objectstore.ts";
import type { StoredSharedUrl } from "../../../src/operations/records/objectstore.ts";
import { keepUrl, readUrl, shareId, shareSeconds } from "../shared/objectstore/shares.ts";
import { uninstalled, withStore } from "./client.ts";
import { type BucketOperation, endpointOf, ownerByProject, ownerOfBucket } from "./owners.ts";

/** `POST /objectstore/shared_url`: for a week at most. Only when and by whom it was signed is kept, not the address itself. */
export async function shareUrl(
  task: BucketOperation,
  { bucket, key, expire, url }: InputOf<typeof objectstore.shareUrl>,
): Promise<undefined> {
  const { call, options, deadline } = task;
  const endpoint = endpointOf(options, url, "url");
  const seconds = shareSeconds(expire, call.now);
  const { record, keys } = await ownerOfBucket(task, endpoint, bucket);
  await withStore({ options, endpoint, keys, deadline }, ({ sdk, send }) =>
    send((client, abortSignal) =>
      client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }),
    ),
  );
  const signed_at = new Date(Math.floor(call.now / 1000) * 1000).toISOString(); // a signature knows whole seconds
  const { reseller, client_id, user_id = null } = record;
  await keepUrl(call, {
    id: shareId(call.region, endpoint, bucket, key),
    created_at: new Date(call.now).toISOString(),
    reseller,
    client_id,
    user_id,
    region: call.region,
    endpoint,
    bucket,
    object_key: key,
    owner_id: record.id,
    shared_by: call.caller.user.id,
    signed_at,
    expires_at: new Date(Date.parse(signed_at) + seconds * 1000).toISOString(),
  });
  return undefined;
}

/** `GET /objectstore/shared_url`: the address is signed again as of the same instant, and so is the same. */
export async function readSharedUrl(task: BucketOperation, { bucket, key }: InputOf<typeof objectstore.sharedUrl>) {
  const share = await readUrl(task.call, bucket, key);
  const url = await sign(task, share);
  return { bucket, expire_date: share.expires_at, object_key: key, url, user_id: share.shared_by };
}

async function sign(
  task: BucketOperation,
  { endpoint, bucket, object_key, owner_id, signed_at, expires_at }: StoredSharedUrl,
): Promise<string> {
  const { options, deadline } = task;
  const { keys } = await ownerByProject(task, owner_id, "bucket");
  const { getSignedUrl } = await importPresigner();
  const expiresIn = (Date.parse(expires_at) - Date.parse(signed_at)) / 1000;
  return withStore({ options, endpoint, keys, deadline }, ({ sdk, client }) =>
    getSignedUrl(client, new sdk.GetObjectCommand({ Bucket: bucket, Key: object_key }), {
      expiresIn,
      signingDate: new Date(signed_at),
    }),
  );
}

async function importPresigner(): Promise<typeof import("@aws-sdk/s3-request-presigner")> {
  try {
    return await import("@aws-sdk/s3-request-presigner");
  } catch (thrown) {
    throw uninstalled(thrown);
  }
}
