import type { Customer, Project } from "../../engine/api/governance.ts";
import type { KeyRecords } from "../../engine/policy/access.ts";
import type { RecordKind, RecordKinds, Records, StoredKey } from "../../engine/ports/records.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import type { PortalCall } from "../call/call.ts";
import { contains, isAbove, scopeOf } from "../tenancy/tenant-scope.ts";

/** A key with its parents. */
export interface KeyWithParents extends KeyRecords {
  readonly key: StoredKey;
  readonly user: StoredUser | undefined;
  /** The parents that the caller sees: those at its own level, below it or above it. */
  readonly shown: VisibleParents;
}

/** The project, the customer and the user of a key, each undefined where the caller does not see it. */
export interface VisibleParents {
  readonly project: Project | undefined;
  readonly customer: Customer | undefined;
  readonly user: StoredUser | undefined;
}

/** Returns keys with their projects, customers and users. Reads each record once. */
export async function readFamilies(
  records: Records,
  call: PortalCall,
  keys: readonly StoredKey[],
): Promise<readonly KeyWithParents[]> {
  const read = <Kind extends RecordKind>(kind: Kind, ids: Iterable<string | undefined>) =>
    readMany({ records, call }, kind, ids);
  const projects = await read("project", namesOf(keys, "project_id"));
  const owned = [...keys, ...[...projects.values()].flatMap(({ record }) => record ?? [])];
  const customers = await read("customer", namesOf(owned, "customer_id"));
  const users = await read("user", namesOf(keys, "user"));
  return keys.map((key) => {
    const project = projects.get(key.project_id);
    const customer = customers.get(project?.record?.customer_id ?? key.customer_id);
    const user = users.get(key.user);
    const shown = { project: project?.shown, customer: customer?.shown, user: user?.shown };
    return { key, project: project?.record, customer: customer?.record, user: user?.record, shown };
  });
}

function namesOf<Field extends string>(
  records: readonly { readonly [F in Field]?: string | undefined }[],
  field: Field,
): ReadonlySet<string | undefined> {
  const names = new Set<string | undefined>();
  let last: string | undefined;
  for (const { [field]: name } of records) {
    if (name !== last) names.add(name); // mostly the same as before
    last = name;
  }
  return names;
}

/** A record; `shown` is the same record where the caller sees it, else undefined. */
interface VisibleRecord<Kind extends RecordKind> {
  readonly record: RecordKinds[Kind] | undefined;
  readonly shown: RecordKinds[Kind] | undefined;
}

interface ParentsContext {
  readonly records: Records;
  readonly call: PortalCall;
}

async function readMany<Kind extends RecordKind>(
  { records, call }: ParentsContext,
  kind: Kind,
  ids: Iterable<string | undefined>,
): Promise<ReadonlyMap<string | undefined, VisibleRecord<Kind>>> {
  const { scope } = call.caller;
  const found = new Map<string | undefined, VisibleRecord<Kind>>();
  for (const id of ids) {
    const record = id === undefined ? undefined : (await records.get(kind, id))?.record;
    const recordScope = record && scopeOf(kind, record);
    const isShown = recordScope && (contains(scope, recordScope) || isAbove(recordScope, scope));
    found.set(id, { record, shown: isShown ? record : undefined });
  }
  return found;
}
