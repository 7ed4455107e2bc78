import type { CommandGroup } from "../program/command.ts";
import { exportLedger } from "./export.ts";

/** `tollgate ledger …`: the rows of the bill. */
export const ledger: CommandGroup = {
  name: "ledger",
  summary: "export the requests of the ledger, a file a day",
  about:
    "The ledger has a row for each request, with the targets that were asked and their bills. `tollgate usage` sums them.",
  commands: { export: exportLedger },
  examples: exportLedger.examples.slice(0, 1),
};
