import { z } from "zod";
import { op } from "../../define.ts";
import { address, bucketName, expiry, flag, id, instant, text } from "../fields.ts";

/** A bucket that is shared. */
export const SharedBucket = z.object({
  bucket: z.string(),
  key: z.string(),
  /** The project that it is shared with. */
  project_id: z.string(),
  user_id: z.string(),
});
export type SharedBucket = z.output<typeof SharedBucket>;

/** A bucket that somebody shares with a project of the caller's. */
export const ReceivedBucket = z.object({
  ...SharedBucket.shape,
  owner_project_id: z.string(),
  shared_at: instant,
});

/** A bucket of a project. */
export const Bucket = z.object({ created_at: instant.optional(), name: z.string(), project_id: z.string() });

/** An object of a bucket, or what several keys have before the delimiter. */
export const StoreObject = z.object({
  is_prefix: flag,
  key: z.string(),
  last_modified: instant.optional(),
  size: z.number().int().optional(),
});

/** An object that is shared by an address until `expire_date`. */
export const SharedObject = z.object({
  bucket: z.string(),
  expire_date: instant,
  object_key: z.string(),
  project_id: z.string(),
  user_id: z.string(),
});

/** The address under which an object is shared until `expire_date`. */
export const SharedUrl = z.object({
  bucket: z.string(),
  expire_date: instant,
  object_key: z.string(),
  url: z.string(),
  user_id: z.string(),
});
export type SharedUrl = z.output<typeof SharedUrl>;

/** Buckets, objects, and how they are shared. */
export const objectstore = {
  buckets: op("GET /objectstore/buckets", "objectstore_buckets-get", "List the buckets of a project", {
    in: { project_id: id, objectstore_url: address },
    out: z.array(Bucket),
    isExtension: true,
  }),
  objects: op("GET /objectstore/objects", "objectstore_objects-get", "List the objects of a bucket", {
    in: {
      bucket: bucketName,
      project_id: id,
      objectstore_url: address,
      prefix: z.string().max(1_024).optional(),
      delimiter: z.string().min(1).max(16).optional(),
    },
    out: z.array(StoreObject),
    isExtension: true,
  }),
  sharedObjects: op(
    "GET /objectstore/shared_urls",
    "objectstore_shared_urls-get",
    "List the objects that are shared by an address",
    { out: z.array(SharedObject), isExtension: true },
  ),
  receivedBuckets: op(
    "GET /objectstore/shared_with_me",
    "objectstore_shared_with_me-get",
    "List the buckets that others share with projects of the caller",
    { out: z.array(ReceivedBucket), isExtension: true },
  ),
  deleteVersions: op(
    "DELETE /objectstore/objects/versions",
    "objectstore_delete_objects_versions-delete",
    "Delete all objects of a bucket with all their versions",
    { in: { bucket: bucketName, project_id: id, objectstore_url: address } },
  ),
  unshareBucket: op("DELETE /objectstore/shared_bucket", "objectstore_shared_bucket-delete", "Stop sharing a bucket", {
    in: { bucket: bucketName },
  }),
  sharedBuckets: op("GET /objectstore/shared_bucket", "objectstore_shared_bucket-get", "List shared buckets", {
    out: z.array(SharedBucket),
  }),
  shareBucket: op("POST /objectstore/shared_bucket", "objectstore_shared_bucket-post", "Share a bucket", {
    in: { bucket: bucketName, project_id: id, objectstore_url: address },
  }),
  sharedUrl: op("GET /objectstore/shared_url", "objectstore_shared_url-get", "Read the shared address of an object", {
    in: { bucket: bucketName, key: text },
    out: SharedUrl,
  }),
  shareUrl: op(
    "POST /objectstore/shared_url",
    "objectstore_shared_url-post",
    "Share an object by an address for a limited time",
    {
      in: { bucket: bucketName, expire: expiry, key: text, url: address },
      rules: ["`url` must be the address of the region's object store."],
    },
  ),
};
