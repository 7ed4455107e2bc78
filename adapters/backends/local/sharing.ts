import type { StoredKeyPair } from "../../../src/api/portal/objectstore.ts";
import { GatewayError } from "../../../src/errors.ts";
import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { add, drop } from "../../../src/portal/shelf.ts";
import * as shares from "../shared/objectstore/shares.ts";
import type { Bucket, ObjectStore } from "./objects.ts";
import { signObject } from "./signed-url.ts";

/** What sharing works with. */
export interface SharingGround {
  readonly objects: ObjectStore;
  /** Where the gateway serves shared objects, without a slash at its end. */
  endpoint(): string;
  readonly signingKey: Uint8Array;
  opened(): Promise<void>;
}

type Sharing = Required<AreaBackend<"objectstore">>;

/** `/objectstore` over a folder. As with S3 a bucket is its project's, whose key pair the caller must reach. */
export function sharingOf(ground: SharingGround): Sharing {
  return {
    sharedBuckets: async (_input, call) => (await shares.sharesOf(call)).map(shares.shownShare),
    shareBucket: (input, call) => shareBucket(ground, input, call),
    unshareBucket: (input, call) => unshareBucket(ground, input, call),
    shareUrl: (input, call) => shareUrl(ground, input, call),
    sharedUrl: (input, call) => sharedUrl(ground, input, call),
    deleteVersions: (input, call) => deleteVersions(ground, input, call),
  };
}

type Input<Name extends keyof Sharing> = Parameters<Sharing[Name]>[0];

/** The address of the region's object store; throws `invalid_request` for any other. */
function readEndpoint(ground: SharingGround, asked: string, param: string): string {
  const endpoint = ground.endpoint();
  if (URL.parse(asked)?.href.replace(/\/$/, "") === endpoint) return endpoint;
  const message = `\`${param}\` is no address of this region's object store; known is: ${endpoint}.`;
  throw new GatewayError("invalid_request", message, { param });
}

interface Owned {
  readonly bucket: Bucket;
  readonly owner: StoredKeyPair;
}

/** A bucket of a project whose key pair lies in the caller's scope. Throws `not_found`. */
async function ownedBucket({ objects, opened }: SharingGround, name: string, call: PortalCall): Promise<Owned> {
  await opened();
  const bucket = await objects.findBucket(name);
  const owner = bucket && (await call.records.get("keypair", bucket.project_id));
  if (bucket === undefined || owner === undefined) throw shares.missingBucket(name);
  return { bucket, owner: owner.record };
}

function shareFields({ owner, bucket }: Owned, { call, endpoint }: { call: PortalCall; endpoint: string }) {
  const { reseller, client_id, user_id = null, id: owner_id } = owner;
  const made = { created_at: new Date(call.now).toISOString(), shared_by: call.caller.user.id };
  return { ...made, reseller, client_id, user_id, region: call.region, endpoint, bucket: bucket.name, owner_id };
}

async function shareBucket(ground: SharingGround, input: Input<"shareBucket">, call: PortalCall): Promise<undefined> {
  const { objects } = ground;
  const { bucket: name, project_id } = input;
  shares.checkBucketName(name);
  const endpoint = readEndpoint(ground, input.objectstore_url, "objectstore_url");
  await shares.checkSharedWith(project_id, call);
  const owned = await ownedBucket(ground, name, call);
  const refuse = (why: string) =>
    new GatewayError("conflict", `The bucket ${why} this project already.`, { param: "project_id" });
  if (owned.bucket.project_id === project_id) throw refuse("belongs to");
  const id = shares.shareId(call.region, endpoint, name, project_id);
  if ((await call.records.get("shared_bucket", id)) !== undefined) throw refuse("is shared with");
  await objects.changeReaders(name, (readers) => [...new Set([...readers, project_id])]);
  await add(call.records, "shared_bucket", { id, project_id, ...shareFields(owned, { call, endpoint }) });
  return undefined;
}

async function unshareBucket(ground: SharingGround, { bucket }: Input<"unshareBucket">, call: PortalCall) {
  const present = await shares.sharesOf(call, bucket);
  if (present.length === 0) {
    throw new GatewayError("not_found", `The bucket \`${bucket}\` is not shared.`, { param: "bucket" });
  }
  const ended = present.map(({ project_id }) => project_id);
  const found = await ground.objects.findBucket(bucket);
  if (found !== undefined)
    await ground.objects.changeReaders(bucket, (readers) => readers.filter((id) => !ended.includes(id)));
  for (const { id } of present) await drop(call.records, "shared_bucket", id);
  return undefined;
}

async function shareUrl(ground: SharingGround, input: Input<"shareUrl">, call: PortalCall): Promise<undefined> {
  const { bucket: name, key, expire, url } = input;
  shares.checkBucketName(name);
  const endpoint = readEndpoint(ground, url, "url");
  const seconds = shares.shareSeconds(expire, call.now);
  const owned = await ownedBucket(ground, name, call);
  if ((await ground.objects.find(name, key)) === undefined) {
    throw new GatewayError("not_found", `There is no object \`${key}\` in the bucket.`, { param: "key" });
  }
  const signed = Math.floor(call.now / 1000) * 1000;
  await shares.keepUrl(call, {
    id: shares.shareId(call.region, endpoint, name, key),
    ...shareFields(owned, { call, endpoint }),
    object_key: key,
    signed_at: new Date(signed).toISOString(),
    expires_at: new Date(signed + seconds * 1000).toISOString(),
  });
  return undefined;
}

/** Only that it is shared is kept: the address is signed anew, for where the gateway is now. */
async function sharedUrl(ground: SharingGround, { bucket, key }: Input<"sharedUrl">, call: PortalCall) {
  const { expires_at, shared_by } = await shares.readUrl(call, bucket, key);
  const expires = Math.floor(Date.parse(expires_at) / 1000);
  const url = signObject({ bucket, key, expires }, ground.endpoint(), ground.signingKey);
  return { bucket, expire_date: expires_at, object_key: key, url, user_id: shared_by };
}

async function deleteVersions(ground: SharingGround, input: Input<"deleteVersions">, call: PortalCall) {
  const { bucket: name, project_id } = input;
  shares.checkBucketName(name);
  readEndpoint(ground, input.objectstore_url, "objectstore_url");
  if ((await call.records.get("keypair", project_id)) === undefined) {
    const message = `There is no key pair of the project \`${project_id}\`: set one with \`PATCH /keypair\`.`;
    throw new GatewayError("not_found", message, { param: "project_id" });
  }
  await ground.opened();
  const bucket = await ground.objects.findBucket(name);
  if (bucket?.project_id !== project_id) throw shares.missingBucket(name);
  for (const version of await ground.objects.versions(name)) await ground.objects.purge(name, version);
  return undefined;
}
