import type { CommandGroup } from "../command.ts";
import { createToken, grantCommand, listCommand, revokeCommand } from "../portal/token-commands.ts";

/** `tollgate token …`. */
export const token: CommandGroup = {
  name: "token",
  summary: "make, grant and revoke access tokens of the portal",
  about:
    "Access tokens: whoever has one may call the portal's operations that it names, as far as its user may. Works on the store\n" +
    "file, also while a gateway serves from it.",
  commands: { create: createToken, list: listCommand, grant: grantCommand, revoke: revokeCommand },
  examples: [createToken, grantCommand, revokeCommand].flatMap(({ examples }) => examples.slice(0, 1)),
};
