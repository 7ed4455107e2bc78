import { storeOptions, withStore } from "../../server/store/with-store.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate ledger follow`. */
export const followLedger = defineCommand({
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
