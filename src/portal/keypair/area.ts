import { createHash } from "node:crypto";
import { isGatewayError } from "../../engine/errors.ts";
import type { StoredKeyPair } from "../../operations/records/objectstore.ts";
import type { PortalDeps } from "../area.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { keyPairPlace } from "../call/sealed-places.ts";
import type { AreaBackend, Region } from "../regions.ts";
import { notFound, read, write } from "../tenancy/record-access.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";

/** Key pairs of infrastructure projects, as their object stores know them. The secret key is sealed in the store, and shown by `get` only. */
export function keypairArea({ regions }: Pick<PortalDeps, "regions">): AreaBackend<"keypair"> {
  return {
    async get({ resource_id }, call) {
      const { access_key, sealed_secret_key, set_by, user_id } = await read(call.records, "keypair", resource_id);
      const active = await isActive({ resource_id, access_key }, regions[call.region], call);
      const secret_key = call.secrets.open(sealed_secret_key, keyPairPlace(resource_id));
      return { access_key, active, resource_id, secret_key, user_id: set_by ?? user_id ?? "" };
    },
    async set({ resource_id, access_key, secret_key }, call) {
      const scope = await scopeOfResource(resource_id, call);
      const created_at = new Date(call.now).toISOString();
      const { id: set_by } = call.caller.user;
      const sealed_secret_key = call.secrets.seal(secret_key, keyPairPlace(resource_id));
      const by = (present: StoredKeyPair | undefined): StoredKeyPair => ({
        ...(present ?? { id: resource_id, created_at, ...scope }),
        ...{ access_key, sealed_secret_key, set_by },
      });
      await write(call.records, "keypair", { id: resource_id, by });
    },
  };
}

/** Returns the scope of a key pair: its project's. The pair of a project that the portal does not know belongs to the provider. */
async function scopeOfResource(id: string, { records, caller }: PortalCall) {
  const project = (await records.get("cloud_project", id))?.record;
  if (!project && depthOf(caller.scope) > 0) throw notFound("resource", id);
  if (!project) return scopeAt(caller.scope);
  const { reseller, client_id, user_id = null } = project;
  return { reseller, client_id, user_id };
}

/**
 * True when the region's infrastructure has a working credential with this access key, or manages no credentials. One without a
 * blob is identified by its id, which is Keystone's digest of the key (portal-backends.md, section 2).
 */
async function isActive(
  { resource_id, access_key }: { readonly resource_id: string; readonly access_key: string },
  region: Region | undefined,
  call: PortalCall,
): Promise<boolean> {
  const { iaas } = region ?? {};
  if (!iaas?.credentials) return true;
  try {
    const credentials = await iaas.credentials({ project_id: resource_id }, call);
    const id = createHash("sha256").update(access_key).digest("hex");
    return credentials.some((each) => each.active && (each.blob ? accessOf(each.blob) === access_key : each.id === id));
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found") return false;
    throw thrown;
  }
}

/** The access key in a credential's blob, which is JSON in a text. */
function accessOf(blob: string | undefined): unknown {
  try {
    return (JSON.parse(blob ?? "null") as { access?: unknown } | null)?.access;
  } catch {
    return undefined;
  }
}
