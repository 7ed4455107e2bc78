import type { Engine } from "../../index.ts";
import type { GatewayConfig } from "../config/shape.ts";
import type { Terminal } from "../terminal.ts";
import { namingOptions } from "./options.ts";
import { type BooksPlace, defaultStore } from "./place.ts";

/** Options of every command that works on the books. */
export const booksOptions = {
  store: {
    kind: "text",
    value: "file|url",
    about: `where keys and ledger are: a file, or postgres://…; ${defaultStore} unless the configuration says so`,
  },
  config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
} as const;

/** Keys and ledger of a store, as functions, beside the gateway that may be serving from it. */
export type Books = Pick<Engine, "keys" | "projects" | "customers" | "usage">;

/** Work on the books; told for how long the configuration keeps the ledger. Resolves with the exit code. */
export type BookWork = (books: Books, ledger: GatewayConfig["ledger"]) => Promise<number>;

/** Opens the books, does the work and closes them. What that takes is loaded only now. */
export async function withBooks(terminal: Terminal, place: BooksPlace, work: BookWork): Promise<number> {
  const { openBooks } = await import("./open.ts");
  const { engine, ledger } = await openBooks(terminal, place);
  try {
    return await namingOptions(() => work(engine, ledger));
  } finally {
    await engine.close();
  }
}
