/** What the ids of the records begin with that calls are made and billed by. */
const prefixes = { key: "vk", project: "prj", customer: "cus" } as const;

/** The records that have such ids. */
export type BilledKind = keyof typeof prefixes;

/** Bytes of chance that an id is made of. */
export const idEntropy = 10;

/** The id of a new record. */
export function makeId(kind: BilledKind, chance: Uint8Array): string {
  return `${prefixes[kind]}_${Buffer.from(chance).toString("hex")}`;
}

/** True for what {@link makeId} could have made: the ledger remembers ids of records that are gone. */
export function isIdOf(kind: BilledKind, text: string): boolean {
  return new RegExp(`^${prefixes[kind]}_[0-9a-f]+$`).test(text);
}
