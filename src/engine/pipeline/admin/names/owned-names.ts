import { GatewayError } from "../../../errors.ts";
import { ownedNameOf } from "../../../ports/owned-names.ts";
import type { KindDefinitions } from "../../../ports/record-kinds.ts";
import type { PutOutcome, RecordKind, RecordKinds, Records, Where } from "../../../ports/records.ts";

/** A record as it is written, and as it was before; without that it is new. */
export interface NamedWrite<Kind extends RecordKind> {
  /** The kinds whose names are looked at, this one among them. */
  readonly kinds: KindDefinitions;
  readonly kind: Kind;
  readonly record: RecordKinds[Kind];
  readonly before?: RecordKinds[Kind] | undefined;
  /** The version that the store has; 0 for a new record. */
  readonly expected: number;
}

/** True for a record that gets a name which it did not have with its owner: it is made, renamed, or moves to another owner. */
function takesName<Kind extends RecordKind>({ kinds, kind, record, before }: NamedWrite<Kind>): boolean {
  const name = ownedNameOf(kinds, kind, record);
  return name !== undefined && (before === undefined || ownedNameOf(kinds, kind, before) !== name);
}

/**
 * Writes a record whose name, where it takes one, nothing else of its owner may have: `taken` otherwise. Of two at once, one is stored.
 * A record that keeps its name is written whatever others are called.
 */
export async function putWithOwnName<Kind extends RecordKind>(
  records: Pick<Records, "put" | "batch">,
  write: NamedWrite<Kind>,
): Promise<PutOutcome> {
  const { kind, record, expected } = write;
  if (!takesName(write)) return records.put(kind, record, expected);
  const outcome = await records.batch([
    { kind, put: record, expected },
    { kind, claimName: record.id },
  ]);
  if (outcome.kind === "stored") return { kind: "stored", version: expected + 1 };
  return outcome.outcome as PutOutcome; // neither of the two removes anything
}

/** Returns another record of the same name with the same owner, the oldest; undefined without one. */
export async function findNamesake<Kind extends RecordKind>(
  records: Pick<Records, "list">,
  { kinds, kind, record }: Pick<NamedWrite<Kind>, "kinds" | "kind" | "record">,
): Promise<RecordKinds[Kind] | undefined> {
  const name = ownedNameOf(kinds, kind, record);
  if (name === undefined) return undefined;
  const where = { owned_name: name } as Where<Kind>; // a link of every kind that has names
  const { records: found } = await records.list(kind, { where, limit: 1_000 });
  // An older version, at work on the same store, leaves the links of names that it changes.
  const isNamesake = (other: RecordKinds[Kind]) => other.id !== record.id && ownedNameOf(kinds, kind, other) === name;
  return found.map((each) => each.record).find(isNamesake);
}

/** Says that a record took a name which another one of the same owner has: what is found by its name is then found by its id alone. */
export async function warnOfName<Kind extends RecordKind>(
  records: Pick<Records, "list">,
  write: NamedWrite<Kind>,
): Promise<readonly string[]> {
  const { kind, record } = write;
  const other = takesName(write) ? await findNamesake(records, write) : undefined;
  if (!other) return [];
  return [
    `Another ${kind} of the same owner has the same name: \`${other.id}\`. Tell them apart by id: \`${record.id}\`.`,
  ];
}

/** Returns the conflict of a name that another record has: of the same owner, or for a username anywhere. */
export function nameTaken(kind: string, param: "name" | "username"): GatewayError {
  const whose = param === "name" ? `another ${kind} of the same owner` : `another ${kind}`;
  return new GatewayError("conflict", `\`${param}\`: ${whose} has this name.`, { param });
}
