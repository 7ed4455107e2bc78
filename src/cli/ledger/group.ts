import type { CommandGroup } from "../program/command.ts";
import { exportLedger } from "./export.ts";
import { followLedger } from "./follow.ts";

/** `tollgate ledger …`: the rows of the bill. */
export const ledger: CommandGroup = {
  name: "ledger",
  summary: "export the requests of the ledger, a file a day or as they come",
  about:
    "The ledger has a row for each request, with the targets that were asked and their bills. `tollgate usage` sums them.",
  commands: { export: exportLedger, follow: followLedger },
  examples: [...exportLedger.examples.slice(0, 1), ...followLedger.examples.slice(0, 1)],
};
