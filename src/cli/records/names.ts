import type { StoreFunctions } from "../../server/store/with-store.ts";
import { type RecordWord, readAll, recordAccessOf } from "./record-access.ts";

/** What records are called, by their ids. */
export type RecordNames = ReadonlyMap<string, string>;

/** The names of all records of some kinds, and those that deleted records had. */
export async function readNames(store: StoreFunctions, words: readonly RecordWord[]): Promise<RecordNames> {
  if (words.length === 0) return new Map();
  const names = new Map(await store.usage.deletedNames());
  for (const word of words) for await (const { id, name } of readAll(recordAccessOf(store, word))) names.set(id, name);
  return names;
}

/** Returns unambiguous names: a name that several records share gets the id appended. */
export function distinguish(names: RecordNames): RecordNames {
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const label = (id: string, name: string) => (counts.get(name) === 1 ? name : `${name} (${id})`);
  return new Map([...names].map(([id, name]) => [id, label(id, name)]));
}
