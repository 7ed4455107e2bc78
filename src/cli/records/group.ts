import type { Command, CommandGroup } from "../command.ts";
import { limitCommand, switchCommand } from "./change.ts";
import type { RecordWord } from "./drawer.ts";
import { listCommand, showCommand } from "./look.ts";

/** What differs between the kinds. */
export interface GroupTerms {
  readonly about: string;
  readonly create: Command;
  /** Commands that only this kind has. */
  readonly more?: Readonly<Record<string, Command>>;
}

/** The commands of one kind of record. */
export function recordGroup(word: RecordWord, { about, create, more = {} }: GroupTerms): CommandGroup {
  const commands = {
    create,
    list: listCommand(word),
    show: showCommand(word),
    limit: limitCommand(word),
    ...more,
    disable: switchCommand(word, "disable"),
    enable: switchCommand(word, "enable"),
    delete: switchCommand(word, "delete"),
  };
  return {
    name: word,
    summary: `make, limit and look at ${word}s`,
    about,
    commands,
    examples: [create, commands.limit, commands.show].flatMap(({ examples }) => examples.slice(0, 1)),
  };
}
