import { GatewayError } from "../../engine/errors.ts";
import { tenantIdOf } from "../../engine/policy/ids.ts";
import type { RecordKind } from "../../engine/ports/records.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalTenant } from "../../operations/portal/tenancy/tenants.ts";
import type { StoredTenant } from "../../operations/records/tenants.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { readListed } from "../call/listed.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, notFound, read, stillHas } from "../tenancy/record-access.ts";
import { contains } from "../tenancy/tenant-scope.ts";
import { checkTenant } from "../tenancy/tenant-state.ts";
import { showTenants } from "./show.ts";

/** Resellers and their clients: our extension. */
export function tenantsArea(deps: PortalDeps): AreaBackend<"tenants"> {
  const show = async (tenant: StoredTenant, call: PortalCall): Promise<PortalTenant> => {
    const [shown] = await showTenants(deps, call, [tenant]);
    return shown as PortalTenant; // one for one
  };
  return {
    list: async ({ status = "active" }, call) => showTenants(deps, call, await readListed(call, "tenant", { status })),
    get: async ({ tenant_id }, call) => show(await read(call.records, "tenant", tenant_id), call),
    create: async (input, call) => show(await createTenant(input, call), call),
    async change({ tenant_id, name, contact }, call) {
      const by = ({ contact: before, ...tenant }: StoredTenant): StoredTenant => {
        const after = contact === undefined ? before : (contact ?? undefined);
        return { ...tenant, name: name ?? tenant.name, ...(after === undefined ? {} : { contact: after }) };
      };
      return show(await change(call.records, "tenant", { id: tenant_id, by }), call);
    },
    disable: async ({ tenant_id }, call) => switchTenant(call, tenant_id, (tenant) => ({ ...tenant, enabled: false })),
    enable: async ({ tenant_id }, call) => switchTenant(call, tenant_id, (tenant) => ({ ...tenant, enabled: true })),
    restore: async ({ tenant_id }, call) =>
      switchTenant(call, tenant_id, ({ deleted_at: _, ...tenant }) => ({ ...tenant, status: "active" })),
    async delete({ tenant_id }, call) {
      const { status } = await read(call.records, "tenant", tenant_id);
      if (status === "bin") return purge(call, tenant_id);
      const deleted_at = new Date(call.now).toISOString();
      await switchTenant(call, tenant_id, (tenant) => ({ ...tenant, status: "bin", deleted_at }));
    },
  };
}

type TenantInput = InputOf<Areas["tenants"]["create"]>;

async function createTenant(draft: TenantInput, call: PortalCall): Promise<StoredTenant> {
  const { scope } = call.caller;
  const reseller = draft.reseller ?? scope.reseller;
  if (reseller === undefined)
    throw new GatewayError("invalid_request", "`reseller`: is required.", { param: "reseller" });
  const client_id = draft.client_id ?? null;
  if (!contains(scope, { reseller, client_id })) throw notFound("tenant", reseller);
  if (client_id !== null) await checkTenant(call, { reseller });
  const id = tenantIdOf(reseller, client_id);
  const present = (await call.allRecords.get("tenant", id))?.record;
  if (present) {
    const where = present.status === "bin" ? "is in the bin; restore it" : "already exists";
    throw new GatewayError("conflict", `The tenant \`${client_id ?? reseller}\` ${where}.`, {
      param: client_id === null ? "reseller" : "client_id",
    });
  }
  const { name = client_id ?? reseller, contact } = draft;
  const tenant: StoredTenant = {
    ...{ id, created_at: new Date(call.now).toISOString(), reseller, client_id, name },
    ...(contact === undefined ? {} : { contact }),
    ...{ enabled: true, status: "active" },
  };
  await add(call.records, "tenant", tenant);
  return tenant;
}

/** Changes a tenant below the caller: of its own, a caller could lock itself out. */
async function switchTenant(
  call: PortalCall,
  id: string,
  by: (tenant: StoredTenant) => StoredTenant,
): Promise<undefined> {
  refuseOwn(call, await read(call.records, "tenant", id));
  await change(call.records, "tenant", { id, by });
}

function refuseOwn({ caller: { scope } }: PortalCall, { reseller, client_id }: StoredTenant): void {
  if (scope.reseller !== reseller || (scope.client_id ?? null) !== client_id) return;
  const message = "You cannot disable or delete your own tenant. A level above must do it.";
  throw new GatewayError("conflict", message, { param: "tenant_id" });
}

/** What keeps a tenant in the bin from being removed for good. */
const dependants = [
  "tenant",
  "user",
  "key",
  "project",
  "customer",
  "alert_rule",
  "alert_channel",
] as const satisfies readonly RecordKind[];

async function purge(call: PortalCall, id: string): Promise<undefined> {
  const tenant = await read(call.records, "tenant", id);
  refuseOwn(call, tenant);
  const { reseller, client_id } = tenant;
  const where = client_id === null ? { reseller } : { reseller, client_id };
  for (const by of dependants) {
    const count = (await call.allRecords.count(by, where)) - (by === "tenant" ? 1 : 0);
    if (count > 0) throw stillHas("tenant", id, { by, count });
  }
  await call.records.remove("tenant", id);
}
