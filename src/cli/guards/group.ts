import type { CommandGroup } from "../program/command.ts";
import { testGuards } from "./test.ts";

/** `tollgate guard …`: what requests and answers pass. */
export const guard: CommandGroup = {
  name: "guard",
  summary: "try the configured guards on examples",
  about:
    "Works with the `guards` of the configuration, which every request passes before its route, and its answer\n" +
    "after it (docs/guards.md).",
  commands: { test: testGuards },
  examples: testGuards.examples.slice(0, 1),
};
