import type { ProjectContents } from "../../../../src/portal/project-contents.ts";
import { forgetShares } from "../../shared/objectstore/shares.ts";
import type { ObjectStore } from "./objects.ts";

interface BucketContext {
  readonly objects: ObjectStore;
  opened(): Promise<void>;
}

/** The buckets of projects. */
export function contentsOf({ objects, opened }: BucketContext): ProjectContents {
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
