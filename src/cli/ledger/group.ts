import { storeOptions, withStore } from "../../server/store/with-store.ts";
import { type CommandGroup, defineCommand } from "../program/command.ts";
import { exportFormats } from "./formats.ts";

/** `tollgate ledger export`. */
const exportLedger = defineCommand({
  name: "ledger export",
  summary: "write the requests of whole days into files",
  usage: "<folder>",
  about:
    "Writes the requests of each day in UTC, and the targets that were asked, into two Parquet files of the folder, or into one file of\n" +
    "JSON lines. A file that is there is replaced once the new one is whole. Works while a gateway serves from the same store.",
  words: [1, 1],
  options: {
    from: { kind: "text", value: "day", about: "first day, such as 2026-11-20, or 7d back; default: yesterday" },
    to: { kind: "text", value: "day", about: "end, exclusive; default: today" },
    format: { kind: "text", value: "name", choices: exportFormats, about: "parquet or jsonl; default: parquet" },
    ...storeOptions,
  },
  examples: [
    ["tollgate ledger export ./ledger", "yesterday, for a job of every night"],
    ["tollgate ledger export ./ledger --from 30d --format jsonl", "the last 30 days as JSON lines"],
  ],
  run: ({ words: [folder = ""], values }, terminal) =>
    withStore(terminal, values, async ({ usage }) => {
      const { exportDays } = await import("./export-days.ts");
      return exportDays({ usage, folder, ...values }, terminal);
    }),
});

/** `tollgate ledger follow`. */
const followLedger = defineCommand({
  name: "ledger follow",
  summary: "print requests as they come into the ledger",
  usage: "",
  about:
    "Prints a line of JSON for each request once its row is in the ledger, for a pipe. With --state a later run goes on where this\n" +
    "one ended; one that was killed may print its last second again: `id` identifies a row. Ctrl-C ends it.",
  words: [0, 0],
  options: {
    since: { kind: "text", value: "instant", about: "begin there, such as 10m back; default: now" },
    state: { kind: "text", value: "file", about: "remember here what was printed" },
    once: { kind: "flag", about: "print what is new, and end" },
    ...storeOptions,
  },
  examples: [
    ["tollgate ledger follow --state follow.json", "for a pipe, such as kcat -P of Kafka"],
    ["tollgate ledger follow --since 10m --once", "the requests of the last ten minutes"],
  ],
  run: ({ values }, terminal) =>
    withStore(terminal, values, async ({ usage }) => {
      const { followEntries } = await import("./follow-entries.ts");
      return followEntries({ usage, ...values }, terminal);
    }),
});

/** `tollgate ledger …`: the rows of the bill. */
export const ledger: CommandGroup = {
  name: "ledger",
  summary: "export the requests of the ledger, a file a day or as they come",
  about:
    "The ledger has a row for each request, with the targets that were asked and their bills. `tollgate usage` sums them.",
  commands: { export: exportLedger, follow: followLedger },
  examples: [...exportLedger.examples.slice(0, 1), ...followLedger.examples.slice(0, 1)],
};
