import type { RecordKind, Records } from "../../../src/engine/ports/records.ts";
import { recordKinds } from "../../../src/operations/record-kinds.ts";
import type { PortalCalls } from "../../../src/portal/index.ts";
import type { Gateway } from "./gateway.ts";

/** An operation that changes many records: what it needs, made before, and its call. */
export interface ManyRecordsCase {
  readonly name: string;
  prepare(admin: PortalCalls): Promise<() => Promise<unknown>>;
}

const password = "correct horse battery";
const provider = { reseller_name: "", client_id: "" };
const common = { description: "", tier: "standard" };

/** The operations that change most records. */
export const manyRecordsCases: readonly ManyRecordsCase[] = [
  {
    name: "users.delete",
    async prepare({ users, profiles }) {
      const { id: user_id } = await users.create({ username: "ann" });
      await users.setPassword({ user_id, password });
      for (const name of ["1", "2", "3"]) await users.createToken({ user_id, name });
      await profiles.create({ name: "P", profile_type: "permission", entries: [{ name: "theme-get" }] });
      const named = { entity: "ann", profile_type: "permission", ...provider } as const;
      await profiles.assign({ ...named, profile_id: "P" });
      return () => users.delete({ user_id });
    },
  },
  {
    name: "ai.changeProject",
    async prepare({ ai }) {
      await ai.createProject({ name: "p", ...common });
      const [{ id: ai_project_id } = { id: "" }] = await ai.projects({});
      for (const name of ["a", "b", "c", "d"])
        await ai.createKey({ name, project_id: ai_project_id, user_bound: false, ...common });
      return () => ai.changeProject({ ai_project_id, apply_keys: true, llms: ["local/tiny"] });
    },
  },
  {
    name: "ai.rotateKey",
    async prepare({ ai }) {
      const { id: key_id } = await ai.createKey({ name: "k", user_bound: false, ...common });
      await ai.rotateKey({ key_id });
      return () => ai.rotateKey({ key_id });
    },
  },
  {
    name: "profiles.reassign",
    async prepare({ users, profiles }) {
      await users.create({ username: "ann" });
      const named = { entity: "ann", profile_type: "permission", ...provider } as const;
      for (const name of ["P", "Q", "R", "S"])
        await profiles.create({ name, profile_type: "permission", entries: [{ name: "theme-get" }] });
      for (const profile_id of ["P", "Q", "R"]) await profiles.assign({ ...named, profile_id });
      return () => profiles.reassign({ ...named, profile_ids: ["S"] });
    },
  },
  {
    name: "quotas.applyProfile",
    async prepare({ quotas, profiles }) {
      const entries = ["users", "projects", "keys"].map((name) => ({ name, limit: 3 }));
      for (const { name } of entries)
        await quotas.set({ quota: name, limit: 9, reseller: "acme", client_id: "", resource_id: "" });
      const { id: profile_id } = await profiles.create({ name: "small", profile_type: "quota", entries });
      const scope = { reseller_name: "acme", client_id: "c-1", resource_id: "" };
      return () => quotas.applyProfile({ profile_id, ...scope });
    },
  },
];

/** All records of a store but leases, by kind and id. */
export async function readStore(records: Records): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const kind of Object.keys(recordKinds) as RecordKind[]) {
    if (kind === "turn") continue;
    for (const stored of (await records.list(kind, { limit: 1_000 })).records)
      found[`${kind} ${stored.record.id}`] = stored;
  }
  return found;
}

/** How often the audit log says that an operation was done. */
export async function countAudited({ records }: { readonly records: Records }, operation: string): Promise<number> {
  return records.count("audit", { operation, outcome: "ok" });
}

/** The calls of the administrator of a gateway. */
export async function asAdmin({ portal, token }: Gateway): Promise<PortalCalls> {
  return portal.as(await portal.authenticate(token));
}

/** The number of records that differ between two states of a store. */
export function countChanged(before: Record<string, unknown>, after: Record<string, unknown>): number {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).length;
}
