import type { PortalCall } from "../../../../src/portal/call/call.ts";
import { readAll } from "../../../../src/portal/tenancy/record-access.ts";

/** Returns the buckets that others share with the projects of the caller's scope: what lies in it on both sides counts too. */
export async function sharedWithMe({ records, allRecords, region }: PortalCall) {
  const shares = (await readAll(allRecords, "shared_bucket")).filter((share) => share.region === region);
  const projects = new Map<string, boolean>();
  const isMine = async (id: string) => {
    const isKnown = projects.get(id) ?? (await records.get("cloud_project", id)) !== undefined;
    projects.set(id, isKnown);
    return isKnown;
  };
  const mine = [];
  for (const { id, bucket, project_id, owner_id, shared_by, created_at } of shares)
    if (await isMine(project_id))
      mine.push({ bucket, key: id, project_id, owner_project_id: owner_id, user_id: shared_by, shared_at: created_at });
  return mine;
}

/** Returns the objects of the caller's scope that are shared by an address which is still good. The address itself is read one by one. */
export async function sharedUrls({ records, region, now }: PortalCall) {
  const shares = (await readAll(records, "shared_url")).filter(
    (share) => share.region === region && Date.parse(share.expires_at) > now,
  );
  return shares.map(({ bucket, object_key, owner_id, shared_by, expires_at }) => ({
    ...{ bucket, object_key, project_id: owner_id, user_id: shared_by, expire_date: expires_at },
  }));
}
