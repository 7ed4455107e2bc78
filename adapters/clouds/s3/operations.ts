import type { AnswerOf, InputOf } from "../../../src/operations/calls.ts";
import type { objectstore } from "../../../src/operations/portal/infrastructure/objectstore.ts";
import { listShares, shareBucket, unshareBucket } from "./buckets.ts";
import { listBuckets, listObjects, listReceived, listSharedObjects } from "./listing.ts";
import type { BucketOperation } from "./owners.ts";
import { readSharedUrl, shareUrl } from "./urls.ts";
import { deleteVersions } from "./versions.ts";

type ObjectstoreRows = typeof objectstore;
type ObjectstoreOperations = {
  readonly [Name in keyof ObjectstoreRows]: (
    task: BucketOperation,
    input: InputOf<ObjectstoreRows[Name]>,
  ) => Promise<AnswerOf<ObjectstoreRows[Name]>>;
};

/** How each row is carried out. */
export const operations: ObjectstoreOperations = {
  buckets: listBuckets,
  objects: listObjects,
  sharedObjects: listSharedObjects,
  receivedBuckets: listReceived,
  deleteVersions,
  unshareBucket,
  sharedBuckets: listShares,
  shareBucket,
  sharedUrl: readSharedUrl,
  shareUrl,
};
