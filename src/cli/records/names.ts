import type { Books } from "../books/work.ts";
import { drawerOf, type RecordWord, readAll } from "./drawer.ts";

/** What records are called, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The names of all records of some kinds. */
export async function readNames(books: Books, words: readonly RecordWord[]): Promise<Names> {
  const names = new Map<string, string>();
  for (const word of words) for await (const { id, name } of readAll(drawerOf(books, word))) names.set(id, name);
  return names;
}

/** Names by which records are told apart: one that several have is told with the id. */
export function tellApart(names: Names): Names {
  const bearers = new Map<string, number>();
  for (const name of names.values()) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  const tell = (id: string, name: string) => (bearers.get(name) === 1 ? name : `${name} (${id})`);
  return new Map([...names].map(([id, name]) => [id, tell(id, name)]));
}
