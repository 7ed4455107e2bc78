import type { KindDefinitions } from "./record-kinds.ts";

/**
 * Returns a text that two records of a kind share when they have the same name with the same owner; undefined for a kind without names.
 * Names are compared in Unicode's composed form (NFC), and differ in letter case.
 */
export function ownedNameOf(kinds: KindDefinitions, kind: string, record: object): string | undefined {
  const definition = kinds[kind];
  if (!definition?.owner || !("name" in record) || typeof record.name !== "string") return undefined;
  const owner = definition.owner(record).map((part) => part ?? null);
  return JSON.stringify([...owner, record.name.normalize("NFC")]);
}
