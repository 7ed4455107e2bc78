import type { Project } from "../../../engine/api/governance.ts";
import { patchKey, patchRecord } from "../../../engine/policy/drafts.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { change, read, readAll } from "../../tenancy/record-access.ts";
import { tenantOf } from "../../tenancy/tenant.ts";
import { ceilingOf, refuseLoosening, setFields, tagSetter, tagTaken } from "../ceilings.ts";
import { findCustomer } from "../customer.ts";
import { notFoundAs } from "../find.ts";
import { applyKeySettings, boundCeilings, hasKeySettings, tagName } from "../settings.ts";
import { warnUnknown } from "../unknown-models.ts";

type ChangeProjectInput = InputOf<Areas["ai"]["changeProject"]>;

/**
 * Changes a project: first the project itself, then the keys that leave it, then the keys that take its settings, which they do from
 * `apply_keys: true` on. Refuses an invalid input before anything is changed.
 */
export async function changeProject(deps: PortalDeps, input: ChangeProjectInput, call: PortalCall): Promise<undefined> {
  const { ai_project_id, remove = [], apply_keys, ...changes } = input;
  const { records, now } = call;
  const { tariff } = deps;
  const before = await read(records, "project", ai_project_id);
  const isApplied = apply_keys ?? (hasKeySettings(before) && changesSettings(input));
  const keys = remove.length > 0 || isApplied ? await readAll(records, "key", { project_id: ai_project_id }) : [];
  checkRemoved(remove, keys);
  const byPatch = (project: Project) => {
    refuseLoosening(project, changes, ceilingOf(tariff, project, call));
    const mcp_configs = boundCeilings(project, changes.mcp_configs, call);
    const metadata = tagSetter({ metadata: tagProject(project, input) }, setFields(changes), call);
    return patchRecord(project, { ...changes, mcp_configs, metadata }, now);
  };
  const project = await change(records, "project", { id: ai_project_id, by: byPatch });
  warnUnknown(deps, input, call);
  const customer_id = remove.length === 0 ? undefined : (project.customer_id ?? (await customerOf(call, project)));
  for (const id of new Set(remove))
    await change(records, "key", { id, by: (key) => takeOut(key, { ...project, customer_id }, now) });
  if (!isApplied) return;
  const applySettings = (key: StoredKey) => (isIn(key, project) ? takeSettings(key, project, { call, tariff }) : key);
  for (const { id } of keys.filter((key) => !remove.includes(key.id)))
    await change(records, "key", { id, by: applySettings });
}

/** Disables an enabled project and enables a disabled one, unless a level above disabled it. */
export async function toggleProject({ tariff }: PortalDeps, id: string, call: PortalCall): Promise<undefined> {
  const by = (project: Project) => {
    const active = !project.active;
    refuseLoosening(project, { active }, ceilingOf(tariff, project, call));
    return patchRecord(project, { active, metadata: tagSetter(project, ["active"], call) }, call.now);
  };
  await change(call.records, "project", { id, by });
}

interface Taking {
  readonly call: PortalCall;
  readonly tariff: PortalDeps["tariff"];
}

function takeSettings(key: StoredKey, project: Project, { call, tariff }: Taking): StoredKey {
  const metadata = tagTaken(key, project);
  return patchKey(key, { ...applyKeySettings(project, key, ceilingOf(tariff, key, call)), metadata }, call.now);
}

/** The customer of a tenant's project that names none: a key must not leave the limits of its tenant with its project. */
async function customerOf(call: PortalCall, { metadata }: Project): Promise<string | undefined> {
  return findCustomer(call, tenantOf(metadata));
}

function changesSettings({ llms, budgets, rate_limits }: ChangeProjectInput): boolean {
  return [llms, budgets, rate_limits].some((settings) => settings !== undefined);
}

function checkRemoved(remove: readonly string[], keys: readonly StoredKey[]): void {
  const known = new Set(keys.map(({ id }) => id));
  const position = remove.findIndex((id) => !known.has(id));
  if (position >= 0)
    throw notFoundAs("key of the project", { id: remove[position] ?? "", param: `remove.${position}` });
}

/** A key that leaves its project still belongs to the project's customer, whose budgets bound it. */
function takeOut(key: StoredKey, project: Project, now: number): StoredKey {
  if (!isIn(key, project)) return key;
  const { customer_id } = project;
  return patchKey(key, { project_id: null, ...(customer_id === undefined ? {} : { customer_id }) }, now);
}

/** False for a key that a concurrent call has moved. */
function isIn({ project_id }: StoredKey, { id }: Project): boolean {
  return project_id === id;
}

function tagProject(project: Project, { name, apply_keys }: ChangeProjectInput): Project["metadata"] {
  const metadata = tagName(project, name);
  if (apply_keys === undefined || apply_keys === hasKeySettings(project)) return metadata;
  const { apply_keys: _present, ...others } = metadata;
  return apply_keys ? { ...others, apply_keys: "true" } : others;
}
