import { booksOptions, withBooks } from "../books/work.ts";
import { type Command, defineCommand, textOf, UsageError } from "../command.ts";
import { plainLine } from "../plain.ts";
import { tellRecord } from "./draft.ts";
import { type AnyRecord, drawerOf, findRecord, type RecordWord } from "./drawer.ts";
import { limitOptions, readLimits, setsLimits } from "./limits.ts";
import { samples } from "./look.ts";

type Verb = "disable" | "enable" | "delete";

const verbs = {
  disable: { summary: "refuse from the next call on", about: "Switches off", does: { active: false } },
  enable: { summary: "take back the switching off", about: "Switches on again", does: { active: true } },
  delete: { summary: "forget for good; what it used stays in the ledger", about: "Forgets", does: undefined },
} as const satisfies Record<Verb, object>;

/** `tollgate <kind> disable`, `enable` and `delete`. */
export function switchCommand(word: RecordWord, verb: Verb): Command {
  const { summary, about, does } = verbs[verb];
  return defineCommand({
    name: `${word} ${verb}`,
    summary,
    usage: `<${word}>`,
    about: `${about} a ${word}, by id or name. A gateway that is serving knows from the next call on.`,
    words: [1, 1],
    options: booksOptions,
    examples: [[`tollgate ${word} ${verb} ${samples[word]}`, "by name"]],
    run: ({ words: [text = ""], values }, terminal) =>
      withBooks(terminal, values, async (books) => {
        const { id, name } = await findRecord(books, word, text);
        const drawer = drawerOf(books, word);
        if (does === undefined) await drawer.remove(id);
        else await drawer.update(id, does);
        terminal.out(`The ${word} ${plainLine(name)} (${id}) is ${verb}d.\n`);
        return 0;
      }),
  });
}

/** `tollgate <kind> limit`. */
export function limitCommand(word: RecordWord): Command {
  const entry = { kind: "text", value: "name", about: "limit what it asks of this provider" } as const;
  return defineCommand({
    name: `${word} limit`,
    summary: "set budgets and rate limits",
    usage: `<${word}>`,
    about:
      `Sets limits of a ${word}, by id or name. A limit replaces the one with the same window; the others stay. none removes all\n` +
      "limits of a kind, none/1d the one with that window. A budget that replaces another stays hard and calendar-aligned if that one\n" +
      "was. What was used already still counts, as long as the window is the same. A gateway that is serving knows from the next call on.",
    words: [1, 1],
    options: { ...limitOptions, ...(word === "key" ? { provider: entry } : {}), ...booksOptions },
    examples: [
      [`tollgate ${word} limit ${samples[word]} --budget 20/1M`, "raise a budget"],
      [
        `tollgate ${word} limit ${samples[word]} --requests 60/1m --requests 1000/1d --budget none`,
        "two windows, no budget",
      ],
    ],
    run: ({ words: [text = ""], values }, terminal) =>
      withBooks(terminal, values, async (books) => {
        if (!setsLimits(values)) throw new UsageError("No limit is given.", "Say --budget, --requests or --tokens.");
        const { id } = await findRecord(books, word, text);
        const provider = textOf(values, "provider");
        const patch = (present: AnyRecord) =>
          provider === undefined
            ? readLimits(values, present)
            : patchEntry(present, provider, (limits) => readLimits(values, limits));
        return tellRecord(terminal, await drawerOf(books, word).update(id, patch));
      }),
  });
}

type Change = (limits: Parameters<typeof readLimits>[1]) => ReturnType<typeof readLimits>;

/** The key's provider entries, the limits of one of them changed. */
function patchEntry(record: AnyRecord, provider: string, change: Change): object {
  const entries = "provider_configs" in record ? record.provider_configs : [];
  if (!entries.some((each) => each.provider === provider)) {
    const names = entries.map((each) => each.provider).join(", ") || "none";
    throw new UsageError(`The key has no entry for the provider ${provider}.`, `It has: ${names}.`);
  }
  return {
    provider_configs: entries.map((each) => (each.provider === provider ? { ...each, ...change(each) } : each)),
  };
}
