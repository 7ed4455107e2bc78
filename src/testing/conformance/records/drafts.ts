import type { Customer, Project } from "../../../engine/api/governance.ts";
import type { StoredKey } from "../../../engine/ports/records.ts";

const common = { active: true, metadata: {}, budgets: [], rate_limits: [], updated_at: "2026-11-20T00:00:00.000Z" };

/** An instant of creation: the number of seconds after midnight. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 20, 0, 0, second)).toISOString();
}

/** A customer, a project and a key with nothing to say but who they are. */
export function customer(id: string, parts: Partial<Customer> = {}): Customer {
  return { ...common, id, name: id, created_at: at(0), ...parts };
}

export function project(id: string, parts: Partial<Project> = {}): Project {
  return { ...common, id, name: id, created_at: at(0), ...parts };
}

export function key(id: string, parts: Partial<StoredKey> = {}): StoredKey {
  return {
    ...common,
    id,
    name: id,
    created_at: at(0),
    last4: "abcd",
    hash: `hash-${id}`,
    provider_configs: [],
    ...parts,
  };
}
