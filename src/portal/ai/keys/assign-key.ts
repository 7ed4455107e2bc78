import { GatewayError } from "../../../engine/errors.ts";
import { patchKey, present } from "../../../engine/policy/drafts.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { change, read } from "../../tenancy/record-access.ts";
import { type Tenant, tagsOf, tenantOf } from "../../tenancy/tenant.ts";
import { contains } from "../../tenancy/tenant-scope.ts";
import { ceilingOf, tagTaken } from "../ceilings.ts";
import { readKeyProject, readUser } from "../find.ts";
import { applyKeySettings, hasKeySettings } from "../settings.ts";

type AssignKeyInput = InputOf<Areas["ai"]["assignKey"]>;

/** Moves a key to a project, to a user, or both. A key takes the settings of a project that applies them to its keys. */
export async function assignKey(deps: PortalDeps, input: AssignKeyInput, call: PortalCall): Promise<undefined> {
  const { key_id, project_id, user_id } = input;
  const key = await read(call.records, "key", key_id);
  if (project_id === undefined && user_id === undefined)
    throw new GatewayError("invalid_request", "`project_id`: is required unless `user_id` is set.", {
      param: "project_id",
    });
  const project =
    project_id === undefined ? undefined : await readKeyProject(deps, call, { id: project_id, param: "project_id" });
  const tenant = tenantOf((project ?? key).metadata);
  const user = user_id === undefined ? undefined : await readUser(call, { id: user_id, param: "user_id" }, tenant);
  const moves = present({ project_id, user: user?.id });
  const by = (present: StoredKey) => {
    refuseForeign(present, tenant);
    const moved = patchKey({ ...present, metadata: { ...present.metadata, ...tagsOf(tenant) } }, moves, call.now);
    if (!project || !hasKeySettings(project) || present.project_id === project.id) return moved;
    const metadata = tagTaken(moved, project);
    const settings = applyKeySettings(project, moved, ceilingOf(deps.tariff, moved, call));
    return patchKey(moved, { ...settings, metadata }, call.now);
  };
  await change(call.records, "key", { id: key_id, by });
}

/** A key may move to a tenant below its own, never to another: its past cost belongs to its tenant. */
function refuseForeign({ metadata }: StoredKey, tenant: Tenant): void {
  if (contains(tenantOf(metadata), tenant)) return;
  throw new GatewayError(
    "conflict",
    "The project belongs to another tenant than the key. Create a new key in that project.",
  );
}
