import type { CommandGroup } from "../command.ts";
import { callCommand, explainCommand, listCommand } from "../portal/call-commands.ts";

/** `tollgate portal …`. */
export const portal: CommandGroup = {
  name: "portal",
  summary: "call the portal's operations, and read what there is",
  about:
    "The portal: everything that manages the gateway and its tenants. Works on the store file, also while a gateway serves from it.",
  commands: { call: callCommand, list: listCommand, explain: explainCommand },
  examples: [callCommand, listCommand, explainCommand].flatMap(({ examples }) => examples.slice(0, 1)),
};
