import type { Connection } from "../connection.ts";

/** Texts as numbers: 0 is none, every other one is a row of `name`. */
export interface InternedStrings {
  /** The number of a text, given to it if it has none yet; only inside a transaction that writes. */
  intern(text: string | undefined): number;
  /** The number of a text; -1 when it has none, so that nothing can have it. */
  find(text: string | null): number;
  /** The text of a number. */
  read(id: number): string | null;
  /** Forgets what was learnt in a transaction that came to nothing. */
  forget(): void;
}

/** Names that are remembered in each direction; beyond that everything is read again, which costs microseconds. */
const mostRemembered = 50_000;

/** The names of a store file, remembered as they are used. */
export function openNames(connection: Connection): InternedStrings {
  const ids = new Map<string, number>();
  const texts = new Map<number, string>();
  const remember = (text: string, id: number): number => {
    if (ids.size >= mostRemembered) ids.clear();
    ids.set(text, id);
    return id;
  };
  const look = (text: string): number | undefined => {
    const row = connection.prepare("SELECT id FROM name WHERE text = ?").get(text);
    return row && remember(text, Number(row.id));
  };
  const add = (text: string): number =>
    remember(text, Number(connection.prepare("INSERT INTO name (text) VALUES (?)").run(text).lastInsertRowid));
  return {
    intern: (text) => (text === undefined ? 0 : (ids.get(text) ?? look(text) ?? add(text))),
    find: (text) => (text === null ? 0 : (ids.get(text) ?? look(text) ?? -1)),
    read(id) {
      if (id === 0) return null;
      const known = texts.get(id);
      if (known !== undefined) return known;
      const text = String(connection.prepare("SELECT text FROM name WHERE id = ?").get(id)?.text);
      if (texts.size >= mostRemembered) texts.clear();
      texts.set(id, text);
      return text;
    },
    forget: () => ids.clear(),
  };
}
