import type { Command, CommandGroup } from "../program/command.ts";
import { limitCommand, switchCommand } from "./change.ts";
import { listCommand, showCommand } from "./list-show.ts";
import type { RecordWord } from "./record-access.ts";
import { resetCommand } from "./reset.ts";

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
