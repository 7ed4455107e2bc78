import { GatewayError } from "../../../../src/engine/errors.ts";
import type { StoredKeyPair } from "../../../../src/operations/records/objectstore.ts";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import type { ProjectContents } from "../../../../src/portal/project-contents.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import { add, remove } from "../../../../src/portal/tenancy/record-access.ts";
import { sharedUrls, sharedWithMe } from "../../shared/objectstore/both-sides.ts";
import * as shares from "../../shared/objectstore/shares.ts";
import { forgetShares } from "../../shared/objectstore/shares.ts";
import { listBuckets, listObjects } from "./listing.ts";
import type { Bucket, ObjectStore } from "./objects.ts";
import { signObject } from "./signed-url.ts";

/** What sharing works with. */
export interface SharingContext {
  readonly objects: ObjectStore;
  /** Where the gateway serves shared objects, without a slash at its end. */
  endpoint(): string;
  readonly signingKey: Uint8Array;
  opened(): Promise<void>;
}

type ObjectSharing = Required<AreaBackend<"objectstore">>;

/** `/objectstore` over a folder. As with S3 a bucket is its project's, whose key pair the caller must reach. */
export function sharingOf(context: SharingContext): ObjectSharing & ProjectContents {
  return {
    ...contentsOf(context),
    async buckets({ project_id, objectstore_url }, call) {
      readEndpoint(context, objectstore_url, "objectstore_url");
      await context.opened();
      return listBuckets(context.objects, project_id, call);
    },
    async objects({ objectstore_url, ...input }, call) {
      readEndpoint(context, objectstore_url, "objectstore_url");
      await context.opened();
      return listObjects(context.objects, input, call);
    },
    sharedObjects: (_input, call) => sharedUrls(call),
    receivedBuckets: (_input, call) => sharedWithMe(call),
    sharedBuckets: async (_input, call) => (await shares.sharesOf(call)).map(shares.shownShare),
    shareBucket: (input, call) => shareBucket(context, input, call),
    unshareBucket: (input, call) => unshareBucket(context, input, call),
    shareUrl: (input, call) => shareUrl(context, input, call),
    sharedUrl: (input, call) => sharedUrl(context, input, call),
    deleteVersions: (input, call) => deleteVersions(context, input, call),
  };
}

type SharingInput<Name extends keyof ObjectSharing> = Parameters<ObjectSharing[Name]>[0];

/** The address of the region's object store; throws `invalid_request` for any other. */
function readEndpoint(context: SharingContext, requested: string, param: string): string {
  const endpoint = context.endpoint();
  if (URL.parse(requested)?.href.replace(/\/$/, "") === endpoint) return endpoint;
  const message = `\`${param}\` is no address of this region's object store; known is: ${endpoint}.`;
  throw new GatewayError("invalid_request", message, { param });
}

interface Owned {
  readonly bucket: Bucket;
  readonly owner: StoredKeyPair;
}

/** A bucket of a project whose key pair lies in the caller's scope. Throws `not_found`. */
async function ownedBucket({ objects, opened }: SharingContext, name: string, call: PortalCall): Promise<Owned> {
  await opened();
  const bucket = await objects.findBucket(name);
  const owner = bucket && (await call.records.get("keypair", bucket.project_id));
  if (bucket === undefined || owner === undefined) throw shares.missingBucket(name);
  return { bucket, owner: owner.record };
}

function shareFields({ owner, bucket }: Owned, { call, endpoint }: { call: PortalCall; endpoint: string }) {
  const { reseller, client_id, user_id = null, id: owner_id } = owner;
  const created = { created_at: new Date(call.now).toISOString(), shared_by: call.caller.user.id };
  return { ...created, reseller, client_id, user_id, region: call.region, endpoint, bucket: bucket.name, owner_id };
}

async function shareBucket(
  context: SharingContext,
  input: SharingInput<"shareBucket">,
  call: PortalCall,
): Promise<undefined> {
  const { objects } = context;
  const { bucket: name, project_id } = input;
  const endpoint = readEndpoint(context, input.objectstore_url, "objectstore_url");
  await shares.checkSharedWith(project_id, call);
  const owned = await ownedBucket(context, name, call);
  const refuse = (why: string) =>
    new GatewayError("conflict", `The bucket ${why} this project already.`, { param: "project_id" });
  if (owned.bucket.project_id === project_id) throw refuse("belongs to");
  const id = shares.shareId(call.region, endpoint, name, project_id);
  if ((await call.records.get("shared_bucket", id)) !== undefined) throw refuse("is shared with");
  await objects.changeReaders(name, (readers) => [...new Set([...readers, project_id])]);
  await add(call.records, "shared_bucket", { id, project_id, ...shareFields(owned, { call, endpoint }) });
  return undefined;
}

async function unshareBucket(context: SharingContext, { bucket }: SharingInput<"unshareBucket">, call: PortalCall) {
  const present = await shares.sharesOf(call, bucket);
  if (present.length === 0) {
    throw new GatewayError("not_found", `The bucket \`${bucket}\` is not shared.`, { param: "bucket" });
  }
  const ended = present.map(({ project_id }) => project_id);
  const found = await context.objects.findBucket(bucket);
  if (found !== undefined)
    await context.objects.changeReaders(bucket, (readers) => readers.filter((id) => !ended.includes(id)));
  for (const { id } of present) await remove(call.records, "shared_bucket", id);
  return undefined;
}

async function shareUrl(
  context: SharingContext,
  input: SharingInput<"shareUrl">,
  call: PortalCall,
): Promise<undefined> {
  const { bucket: name, key, expire, url } = input;
  const endpoint = readEndpoint(context, url, "url");
  const seconds = shares.shareSeconds(expire, call.now);
  const owned = await ownedBucket(context, name, call);
  if ((await context.objects.find(name, key)) === undefined) {
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
async function sharedUrl(context: SharingContext, { bucket, key }: SharingInput<"sharedUrl">, call: PortalCall) {
  const { expires_at, shared_by } = await shares.readUrl(call, bucket, key);
  const expires = Math.floor(Date.parse(expires_at) / 1000);
  const url = signObject({ bucket, key, expires }, context.endpoint(), context.signingKey);
  return { bucket, expire_date: expires_at, object_key: key, url, user_id: shared_by };
}

async function deleteVersions(context: SharingContext, input: SharingInput<"deleteVersions">, call: PortalCall) {
  const { bucket: name, project_id } = input;
  readEndpoint(context, input.objectstore_url, "objectstore_url");
  await shares.readPair(project_id, call);
  await context.opened();
  const bucket = await context.objects.findBucket(name);
  if (bucket?.project_id !== project_id) throw shares.missingBucket(name);
  for (const version of await context.objects.versions(name)) await context.objects.purge(name, version);
  return undefined;
}

interface BucketContext {
  readonly objects: ObjectStore;
  opened(): Promise<void>;
}

/** The buckets of projects. */
function contentsOf({ objects, opened }: BucketContext): ProjectContents {
  const ownBuckets = async (project_id: string) => {
    await opened();
    return (await objects.buckets()).filter((bucket) => bucket.project_id === project_id).map(({ name }) => name);
  };
  return {
    listContents: async ({ project_id }) => (await ownBuckets(project_id)).map((id) => ({ kind: "buckets", id })),
    async removeContents({ project_id }, call) {
      for (const name of await ownBuckets(project_id)) {
        for (const version of await objects.versions(name)) await objects.purge(name, version);
        await objects.removeBucket(name);
        await forgetShares(call, name);
      }
      return [];
    },
  };
}
