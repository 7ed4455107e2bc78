import { createToken, grantCommand, listCommand, revokeCommand } from "../portal/token-commands.ts";
import type { CommandGroup } from "../program/command.ts";

/** `tollgate token …`. */
export const token: CommandGroup = {
  name: "token",
  summary: "create, grant and revoke access tokens of the portal",
  about:
    "Manages access tokens of the portal. A token permits the operations that it names, as far as its user has the permission. The\n" +
    "commands work on the store, also while a gateway serves from it.",
  commands: { create: createToken, list: listCommand, grant: grantCommand, revoke: revokeCommand },
  examples: [createToken, grantCommand, revokeCommand].flatMap(({ examples }) => examples.slice(0, 1)),
};
