import { callCommand, explainCommand, listCommand } from "../portal/call-commands.ts";
import type { CommandGroup } from "../program/command.ts";

/** `tollgate portal …`. */
export const portal: CommandGroup = {
  name: "portal",
  summary: "list, explain and call the operations of the management portal",
  about:
    "The portal manages the gateway and its tenants. The commands work on the store, also while a gateway serves from it.",
  commands: { call: callCommand, list: listCommand, explain: explainCommand },
  examples: [callCommand, listCommand, explainCommand].flatMap(({ examples }) => examples.slice(0, 1)),
};
