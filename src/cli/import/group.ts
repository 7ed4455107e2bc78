import type { CommandGroup } from "../program/command.ts";
import { importLitellm } from "./litellm/command.ts";

/** `tollgate import …`: configurations of other gateways. */
export const importing: CommandGroup = {
  name: "import",
  summary: "convert the configuration of another gateway",
  about: "Writes a configuration of tollgate from that of another gateway, and lists what has no counterpart.",
  commands: { litellm: importLitellm },
  examples: importLitellm.examples.slice(0, 1),
};
