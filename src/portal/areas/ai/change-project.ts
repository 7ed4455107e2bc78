import type { Project } from "../../../api/governance.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { patchKey, patchRecord } from "../../../policy/record.ts";
import type { StoredKey } from "../../../ports/records.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import { change, read, readAll } from "../../shelf.ts";
import { notThere } from "./find.ts";
import { checkLlms } from "./tariff.ts";
import { applyTerms, boundOf, givesTerms, tagName } from "./terms.ts";

type Input = InputOf<Areas["ai"]["changeProject"]>;

/**
 * Changes a project: first the project itself, then the keys that are taken out of it, then those that take its terms, as its keys
 * do from `apply_keys: true` on. What is wrong with the input is found before anything is changed.
 */
export async function changeProject({ tariff }: AreaTools, input: Input, call: PortalCall): Promise<undefined> {
  const { ai_project_id, remove = [], apply_keys, ...changes } = input;
  const { records, now } = call;
  const before = await read(records, "project", ai_project_id);
  const isApplied = apply_keys ?? (givesTerms(before) && changesTerms(input));
  const keys = remove.length > 0 || isApplied ? await readAll(records, "key", { project_id: ai_project_id }) : [];
  checkRemoved(remove, keys);
  const byPatch = (project: Project) => {
    checkLlms(changes.llms, boundOf(tariff, call, project));
    return patchRecord(project, { ...changes, metadata: tagProject(project, input) }, now);
  };
  const project = await change(records, "project", { id: ai_project_id, by: byPatch });
  for (const id of new Set(remove)) await change(records, "key", { id, by: (key) => takeOut(key, project, now) });
  if (!isApplied) return;
  const giveTerms = (key: StoredKey) =>
    isIn(key, project) ? patchKey(key, applyTerms(project, key, boundOf(tariff, call, key)), now) : key;
  for (const { id } of keys.filter((key) => !remove.includes(key.id)))
    await change(records, "key", { id, by: giveTerms });
}

function changesTerms({ llms, budgets, rate_limits }: Input): boolean {
  return [llms, budgets, rate_limits].some((terms) => terms !== undefined);
}

function checkRemoved(remove: readonly string[], keys: readonly StoredKey[]): void {
  const known = new Set(keys.map(({ id }) => id));
  const position = remove.findIndex((id) => !known.has(id));
  if (position >= 0) throw notThere("key of the project", { id: remove[position] ?? "", param: `remove.${position}` });
}

/** A key without its project still belongs to the project's customer, whose budgets hold for it. */
function takeOut(key: StoredKey, project: Project, now: number): StoredKey {
  if (!isIn(key, project)) return key;
  const { customer_id } = project;
  return patchKey(key, { project_id: null, ...(customer_id === undefined ? {} : { customer_id }) }, now);
}

/** False for a key that somebody else has moved meanwhile. */
function isIn({ project_id }: StoredKey, { id }: Project): boolean {
  return project_id === id;
}

function tagProject(project: Project, { name, apply_keys }: Input): Project["metadata"] {
  const metadata = tagName(project, name);
  if (apply_keys === undefined || apply_keys === givesTerms(project)) return metadata;
  const { apply_keys: _present, ...others } = metadata;
  return apply_keys ? { ...others, apply_keys: "true" } : others;
}
