import { GatewayError } from "../../../errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { patchKey, present } from "../../../policy/record.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import { covers } from "../../scope.ts";
import { change, read } from "../../shelf.ts";
import { readKeyProject, readUser } from "./find.ts";
import { type Tenant, tagsOf, tenantOf } from "./tenant.ts";
import { applyTerms, boundOf, givesTerms } from "./terms.ts";

type Input = InputOf<Areas["ai"]["assignKey"]>;

/** Moves a key to a project, to a user, or both. One that comes into a project which gives its terms takes them. */
export async function assignKey(tools: AreaTools, input: Input, call: PortalCall): Promise<undefined> {
  const { key_id, project_id, user_id } = input;
  const key = await read(call.records, "key", key_id);
  if (project_id === undefined && user_id === undefined)
    throw new GatewayError("invalid_request", "`project_id`: must be given, or `user_id`.", { param: "project_id" });
  const project =
    project_id === undefined ? undefined : await readKeyProject(tools, call, { id: project_id, param: "project_id" });
  const tenant = tenantOf((project ?? key).metadata);
  const user = user_id === undefined ? undefined : await readUser(call, { id: user_id, param: "user_id" }, tenant);
  const moves = present({ project_id, user: user?.id });
  const by = (present: StoredKey) => {
    refuseForeign(present, tenant);
    const moved = patchKey({ ...present, metadata: { ...present.metadata, ...tagsOf(tenant) } }, moves, call.now);
    if (!project || !givesTerms(project) || present.project_id === project.id) return moved;
    return patchKey(moved, applyTerms(project, moved, boundOf(tools.tariff, call, moved)), call.now);
  };
  await change(call.records, "key", { id: key_id, by });
}

/** A key may come down to a tenant below its own; what it has cost belongs to its tenant, so that it never goes to another. */
function refuseForeign({ metadata }: StoredKey, tenant: Tenant): void {
  if (covers(tenantOf(metadata), tenant)) return;
  throw new GatewayError("conflict", "The project belongs to another tenant than the key; make a new key there.");
}
