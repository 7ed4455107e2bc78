import { booksOptions, withBooks } from "../books/work.ts";
import { defineCommand, UsageError } from "../command.ts";
import { accessOptions, readAccess, setsAccess } from "./access.ts";
import { tellBareProviders } from "./bare.ts";
import { tellRecord } from "./draft.ts";
import { findRecord } from "./drawer.ts";

/** `tollgate key allow`. */
export const allowKey = defineCommand({
  name: "key allow",
  summary: "say anew whom a key may ask",
  usage: "<key>",
  about:
    "Replaces what a key, by id or name, may ask. Of providers that stay, limits, weights and credentials stay, too; a provider\n" +
    "for which the entry * spoke takes over those of *.",
  words: [1, 1],
  options: { ...accessOptions, ...booksOptions },
  examples: [["tollgate key allow ci --allow 'openai/*' --block openai/o1-pro", "all of OpenAI's models but one"]],
  run: ({ words: [text = ""], values }, terminal) =>
    withBooks(terminal, values, async (books) => {
      if (!setsAccess(values)) throw new UsageError("Nobody is named.", "Say --allow or --provider.");
      const { id } = await findRecord(books, "key", text);
      const changed = await books.keys.update(id, ({ provider_configs }) => ({
        provider_configs: readAccess(values, provider_configs),
      }));
      await tellBareProviders(terminal, values.allow);
      return tellRecord(terminal, changed);
    }),
});
