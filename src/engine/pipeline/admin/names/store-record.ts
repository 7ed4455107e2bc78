import { GatewayError } from "../../../errors.ts";
import type { BilledKind } from "../../../policy/ids.ts";
import { engineKinds } from "../../../ports/record-kinds.ts";
import type { PutOutcome, RecordKind, RecordKinds } from "../../../ports/records.ts";
import { retryOnConflict, versionConflict } from "../../../runtime/version-conflict.ts";
import type { RegistryPorts } from "../rotate-key.ts";
import { keepName } from "./deleted-names.ts";
import { type NamedWrite, nameTaken, putWithOwnName, warnOfName } from "./owned-names.ts";

/** A record as it was stored, and warnings of a name that another one of its owner has. */
interface StoredRecord<Kind extends RecordKind> {
  readonly record: RecordKinds[Kind];
  readonly names: readonly string[];
}

/** A write of one of the engine's own records. */
type OwnRecordWrite<Kind extends BilledKind> = Omit<NamedWrite<Kind>, "kinds">;

/** Stores a new record. Throws `conflict` where it is there, `invalid_request` where a field names a record that is not there. */
export async function storeNew<Kind extends BilledKind>(
  ports: RegistryPorts,
  kind: Kind,
  record: RecordKinds[Kind],
): Promise<StoredRecord<Kind>> {
  const stored = await tryStore(ports, { kind, record, expected: 0 });
  if (stored !== versionConflict) return stored;
  throw new GatewayError("conflict", `The ${nameKind(kind)} is there already.`);
}

/** Stores a change, which is decided again where another one was faster. */
export function storeChange<Kind extends BilledKind>(
  ports: RegistryPorts,
  decide: () => Promise<OwnRecordWrite<Kind>>,
): Promise<StoredRecord<Kind>> {
  return retryOnConflict(async () => tryStore(ports, await decide()));
}

async function tryStore<Kind extends BilledKind>(
  { records, hasUniqueNames }: RegistryPorts,
  put: OwnRecordWrite<Kind>,
): Promise<StoredRecord<Kind> | typeof versionConflict> {
  const { kind, record, expected } = put;
  const write = { ...put, kinds: engineKinds };
  const outcome = await (hasUniqueNames ? putWithOwnName(records, write) : records.put(kind, record, expected));
  if (outcome.kind === "moved") return versionConflict;
  accept(kind, outcome);
  return { record, names: hasUniqueNames ? [] : await warnOfName(records, write) };
}

function accept(kind: RecordKind, outcome: PutOutcome): void {
  if (outcome.kind === "taken" && outcome.field === "name") throw nameTaken(nameKind(kind), "name");
  if (outcome.kind === "dangling") {
    const message = `\`${outcome.field}\`: there is no such ${nameKind(outcome.field === "project_id" ? "project" : "customer")}.`;
    throw new GatewayError("invalid_request", message, { param: outcome.field });
  }
  if (outcome.kind !== "stored") throw new GatewayError("conflict", `The ${nameKind(kind)} is there already.`);
}

/** Removes a record, and keeps its name for reports. Throws `not_found`, or `conflict` while others depend on it. */
export async function removeStored({ records, clock }: RegistryPorts, kind: BilledKind, id: string): Promise<void> {
  const found = await records.get(kind, id);
  const outcome = found ? await records.remove(kind, id) : undefined;
  if (!found || outcome?.kind === "missing") throw noRecord(kind, id);
  if (outcome?.kind !== "needed") return keepName(records, found.record, clock.now());
  const message = `The ${nameKind(kind)} \`${id}\` still has ${countKind(outcome.count, outcome.by)}.`;
  throw new GatewayError("conflict", message);
}

/** Returns the error for a record that is not there. */
export function noRecord(kind: RecordKind, id: string): GatewayError {
  return new GatewayError("not_found", `There is no ${nameKind(kind)} \`${id}\`.`, { param: "id" });
}

const words: Readonly<Record<string, string>> = { key: "virtual key" };

/** The name of a kind in a sentence. */
function nameKind(kind: RecordKind): string {
  return words[kind] ?? kind.replaceAll("_", " ");
}

/** A count of a kind in a sentence. */
export function countKind(count: number, kind: RecordKind): string {
  return `${count} ${nameKind(kind)}${count === 1 ? "" : "s"}`;
}
