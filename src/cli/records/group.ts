import { storeOptions, withStore } from "../../server/store/with-store.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { type Command, type CommandGroup, defineCommand } from "../program/command.ts";
import { limitCommand, switchCommand } from "./change.ts";
import { listCommand, samples, showCommand } from "./list-show.ts";
import { printRecord } from "./new-record.ts";
import { findRecord, type RecordWord, recordAccessOf } from "./record-access.ts";

const longestReason = 500;

/** `tollgate <kind> reset`. */
function resetCommand(word: RecordWord): Command {
  return defineCommand({
    name: `${word} reset`,
    summary: "begin its counts anew, with a reason",
    usage: `<${word}>`,
    about:
      `Begins the counts of the budgets and rate limits of a ${word} (id or name) anew: what was used before does not count\n` +
      "any more. The time and the reason stay with the limits and in the audit log. Calls under way\n" +
      "are counted where they began. The ledger stays as it is.",
    words: [1, 1],
    options: {
      reason: { kind: "text", value: "text", about: "why; kept with the limits and in the audit log" },
      window: { kind: "text", value: "window", about: "only limits with this window, such as 1M or never" },
      ...storeOptions,
    },
    examples: [
      [`tollgate ${word} reset ${samples[word]} --reason "the customer paid" --window never`, "after a new payment"],
    ],
    run: ({ words: [text = ""], values: { reason = "", window, ...location } }, terminal) =>
      withStore(terminal, location, async (store) => {
        if (reason.trim() === "" || reason.length > longestReason)
          throw new UsageError(`--reason is required: at most ${longestReason} characters.`, "");
        const { id } = await findRecord(store, word, text);
        return printRecord(terminal, await recordAccessOf(store, word).resetLimits(id, { reason, window }));
      }),
  });
}

/** What differs between the kinds. */
export interface GroupSettings {
  readonly about: string;
  readonly create: Command;
  /** Commands that only this kind has. */
  readonly more?: Readonly<Record<string, Command>>;
}

/** The commands of one kind of record. */
export function recordGroup(word: RecordWord, { about, create, more = {} }: GroupSettings): CommandGroup {
  const commands = {
    create,
    list: listCommand(word),
    show: showCommand(word),
    limit: limitCommand(word),
    reset: resetCommand(word),
    ...more,
    disable: switchCommand(word, "disable"),
    enable: switchCommand(word, "enable"),
    delete: switchCommand(word, "delete"),
  };
  return {
    name: word,
    summary: `create, limit and inspect ${word === "key" ? "virtual keys" : `${word}s`}`,
    about,
    commands,
    examples: [create, commands.limit, commands.show].flatMap(({ examples }) => examples.slice(0, 1)),
  };
}
