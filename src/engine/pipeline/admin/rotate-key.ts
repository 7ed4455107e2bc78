import type { VirtualKey, VirtualKeyDraft } from "../../api/governance.ts";
import { GatewayError } from "../../errors.ts";
import { type Birth, draftKey, showKey } from "../../policy/drafts.ts";
import { type BilledKind, idEntropy, makeId } from "../../policy/ids.ts";
import { mintKey } from "../../policy/key.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RetiredKey, StoredKey } from "../../ports/records.ts";
import { retryOnConflict, versionConflict } from "../../runtime/version-conflict.ts";
import type { GuardedRecords } from "../runtime/port-call.ts";
import { listPatterns, type PatternFields } from "./pattern-warnings.ts";

/** A new key, with its value: shown this once, and never stored. */
export interface MadeKey {
  readonly key: VirtualKey;
  readonly value: string;
  /** Of patterns that match no known model, and of a name that another key of the same owner has; absent without any. */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * A record as it was just made or changed, with warnings of patterns that match no known model (`Did you mean …?`) and of a name that
 * another record of the same owner has; absent without any.
 */
export type WarnedRecord<Item> = Item & { readonly warnings?: readonly string[] | undefined };

/** Adds the warnings of names, and of the patterns that a draft or a change holds. */
export function warned<Item>(
  { warnOf }: RegistryPorts,
  item: Item,
  { fields, names }: { readonly fields: PatternFields; readonly names: readonly string[] },
): WarnedRecord<Item> {
  const warnings = [...names, ...(warnOf?.(listPatterns(fields)) ?? [])];
  return { ...item, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The parts of a registry. */
export interface RegistryPorts {
  readonly records: GuardedRecords;
  readonly clock: Clock;
  /** Fresh random bytes. */
  readonly entropy: (bytes: number) => Uint8Array;
  readonly keyPrefix: string;
  /** Refuses a name that another record of the same owner has; otherwise such a name is warned of. */
  readonly hasUniqueNames?: boolean | undefined;
  /** Sentences on patterns that match no known model; absent where no models are known. */
  readonly warnOf?: ((patterns: readonly string[]) => readonly string[]) | undefined;
}

/** How a key is rotated. */
export interface KeyRotation {
  /** Milliseconds for which the value of before is accepted too; a day unless given, 0 ends it at once. */
  readonly overlap?: number | undefined;
}

/** The id and the time of a new record. */
export function birthOf({ clock, entropy }: RegistryPorts, kind: BilledKind): Birth {
  return { id: makeId(kind, entropy(idEntropy)), now: clock.now() };
}

/** A new key's record and its value. */
export function mintRecord({ entropy, keyPrefix }: RegistryPorts, draft: VirtualKeyDraft, birth: Birth) {
  const minted = mintKey(entropy(32), keyPrefix);
  return { record: draftKey(draft, minted, birth), value: minted.value };
}

const defaultOverlapMs = 86_400_000;
/** A year: a value that is good for longer is not being rotated out. */
const longestOverlapMs = 366 * 86_400_000;

/**
 * Gives a key a new value; id, counters and history stay. The value of before is accepted until the overlap ends, at the latest until
 * the key itself expires. Values of earlier rotations keep their own ends.
 */
export async function rotateKey(ports: RegistryPorts, id: string, rotation: KeyRotation = {}): Promise<MadeKey> {
  const { records, clock, entropy, keyPrefix } = ports;
  const overlap = checkOverlap(rotation);
  const minted = mintKey(entropy(32), keyPrefix);
  const { hash, last4 } = minted;
  const key = await retryOnConflict(async () => {
    const found = await records.get("key", id);
    if (!found) throw new GatewayError("not_found", `There is no virtual key \`${id}\`.`, { param: "id" });
    const now = clock.now();
    // The value of before is kept first: stopped in between, it is found under both kinds, and never under none.
    if (overlap > 0) await retire(ports, found.record, now + overlap);
    const rotated: StoredKey = { ...found.record, hash, last4, updated_at: new Date(now).toISOString() };
    const outcome = await records.put("key", rotated, found.version);
    return outcome.kind === "stored" ? rotated : versionConflict;
  });
  await forgetRetired(ports, id, clock.now());
  return { key: showKey(key), value: minted.value };
}

/** Forgets the values of a key that has none any more, or those that ended before a time. */
export async function forgetRetired({ records }: RegistryPorts, id: string, endedBefore = Infinity): Promise<void> {
  const { records: retired } = await records.list("retired_key", { where: { key_id: id }, limit: 1_000 });
  for (const { record } of retired)
    if (Date.parse(record.expires_at) <= endedBefore) await records.remove("retired_key", record.id);
}

async function retire({ records, clock, entropy }: RegistryPorts, key: StoredKey, endsAt: number): Promise<void> {
  const retired: RetiredKey = {
    id: `rk_${Buffer.from(entropy(idEntropy)).toString("hex")}`,
    key_id: key.id,
    hash: key.hash,
    expires_at: new Date(endsAt).toISOString(),
    created_at: new Date(clock.now()).toISOString(),
  };
  await records.put("retired_key", retired, 0); // `taken`: kept by an attempt that another change overtook
}

function checkOverlap({ overlap = defaultOverlapMs }: KeyRotation): number {
  if (Number.isInteger(overlap) && overlap >= 0 && overlap <= longestOverlapMs) return overlap;
  const message = `\`overlap\`: must be a whole number of milliseconds from 0 to ${longestOverlapMs} (a year)`;
  throw new GatewayError("invalid_request", message, { param: "overlap" });
}
