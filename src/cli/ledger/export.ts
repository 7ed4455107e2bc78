import { storeOptions, withStore } from "../../server/store/with-store.ts";
import { defineCommand } from "../program/command.ts";
import { exportFormats } from "./formats.ts";

/** `tollgate ledger export`. */
export const exportLedger = defineCommand({
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
