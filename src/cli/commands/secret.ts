import { rotateCommand } from "../portal/secret-commands.ts";
import type { CommandGroup } from "../program/command.ts";

/** `tollgate secret …`. */
export const secret: CommandGroup = {
  name: "secret",
  summary: "change the secret that the store's secrets are encrypted with",
  about:
    "Secrets in the store, such as key pairs and credentials, are encrypted under TOLLGATE_SECRET or a file next to the store.",
  commands: { rotate: rotateCommand },
  examples: rotateCommand.examples.slice(0, 1),
};
