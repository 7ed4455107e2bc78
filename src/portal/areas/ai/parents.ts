import type { Customer, Project } from "../../../api/governance.ts";
import type { StoredUser } from "../../../api/portal/users.ts";
import type { KeyRecords } from "../../../policy/access.ts";
import type { RecordKind, RecordKinds, Records, StoredKey } from "../../../ports/records.ts";
import type { PortalCall } from "../../call.ts";
import { covers, isAbove, placeOf } from "../../scope.ts";

/** What stands above some keys. */
export interface Parents {
  /** A key with its project, customer and user, whoever may see them: they decide about the key. */
  readonly of: (key: StoredKey) => KeyRecords & { readonly user: StoredUser | undefined };
  /** The same as far as the caller sees them: they lie at its place, below it or above it. */
  readonly shown: (key: StoredKey) => Shown;
}

export interface Shown {
  readonly project: Project | undefined;
  readonly customer: Customer | undefined;
  readonly user: StoredUser | undefined;
}

/** Reads the projects, customers and users of some keys, each once. */
export async function readParents(records: Records, call: PortalCall, keys: readonly StoredKey[]): Promise<Parents> {
  const projects = await readMany(
    records,
    "project",
    keys.map(({ project_id }) => project_id),
  );
  const customerIds = [...keys, ...projects.values()].map(({ customer_id }) => customer_id);
  const customers = await readMany(records, "customer", customerIds);
  const users = await readMany(
    records,
    "user",
    keys.map(({ user }) => user),
  );
  const of = (key: StoredKey) => {
    const project = find(projects, key.project_id);
    return {
      key,
      project,
      customer: find(customers, project?.customer_id ?? key.customer_id),
      user: find(users, key.user),
    };
  };
  const { place } = call.caller;
  const see = <Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind] | undefined) => {
    const placed = record && placeOf(kind, record);
    return placed && (covers(place, placed) || isAbove(placed, place)) ? record : undefined;
  };
  const shown = (key: StoredKey): Shown => {
    const { project, customer, user } = of(key);
    return { project: see("project", project), customer: see("customer", customer), user: see("user", user) };
  };
  return { of, shown };
}

async function readMany<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, RecordKinds[Kind]>> {
  const found = new Map<string, RecordKinds[Kind]>();
  for (const id of new Set(ids)) {
    const stored = id === undefined ? undefined : await records.get(kind, id);
    if (stored) found.set(stored.record.id, stored.record);
  }
  return found;
}

function find<Record>(records: ReadonlyMap<string, Record>, id: string | undefined): Record | undefined {
  return id === undefined ? undefined : records.get(id);
}
