import { z } from "zod";
import { op } from "../../define.ts";
import { address, expiry, id, instant, text } from "../fields.ts";

/** A bucket that is shared. */
export const SharedBucket = z.object({
  bucket: z.string(),
  key: z.string(),
  user_id: z.string(),
});
export type SharedBucket = z.output<typeof SharedBucket>;

/** The address under which an object is shared until `expire_date`. */
export const SharedUrl = z.object({
  bucket: z.string(),
  expire_date: instant,
  object_key: z.string(),
  url: z.string(),
  user_id: z.string(),
});
export type SharedUrl = z.output<typeof SharedUrl>;

/** Sharing of buckets and objects. */
export const objectstore = {
  deleteVersions: op(
    "DELETE /objectstore/objects/versions",
    "objectstore_delete_objects_versions-delete",
    "Delete all objects of a bucket with all their versions",
    { in: { bucket: text, project_id: id, objectstore_url: address } },
  ),
  unshareBucket: op("DELETE /objectstore/shared_bucket", "objectstore_shared_bucket-delete", "Stop sharing a bucket", {
    in: { bucket: text },
  }),
  sharedBuckets: op("GET /objectstore/shared_bucket", "objectstore_shared_bucket-get", "List shared buckets", {
    out: z.array(SharedBucket),
  }),
  shareBucket: op("POST /objectstore/shared_bucket", "objectstore_shared_bucket-post", "Share a bucket", {
    in: { bucket: text, project_id: id, objectstore_url: address },
  }),
  sharedUrl: op("GET /objectstore/shared_url", "objectstore_shared_url-get", "Read the shared address of an object", {
    in: { bucket: text, key: text },
    out: SharedUrl,
  }),
  shareUrl: op(
    "POST /objectstore/shared_url",
    "objectstore_shared_url-post",
    "Share an object by an address for a limited time",
    { in: { bucket: text, expire: expiry, key: text, url: address } },
  ),
};
