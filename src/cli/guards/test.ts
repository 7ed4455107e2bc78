import { alignColumns } from "../../server/terminal/format.ts";
import { defineCommand } from "../program/command.ts";
import type { ExampleOutcome } from "./run-examples.ts";

/** `tollgate guard test`. */
export const testGuards = defineCommand({
  name: "guard test",
  summary: "run the configured guards over examples",
  usage: "<file>",
  about:
    "Runs each line of the file, a JSON object with `request`, `expect` (pass, block or change) and, if wanted, `answer` and\n" +
    "`guard`, through the `guards` of the configuration. No model answers; those that guards ask are asked. Exit code 1 if one is\n" +
    "not as expected.",
  words: [1, 1],
  options: {
    json: { kind: "flag", about: "print the outcomes as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [["tollgate guard test examples.jsonl", "see whether the guards do what you expect of them"]],
  async run({ words: [file = ""], values }, terminal) {
    const { readFile } = await import("node:fs/promises");
    const { resolve } = await import("node:path");
    const { readExamples } = await import("./examples.ts");
    const { gather } = await import("../../server/gather.ts");
    const { runExamples } = await import("./run-examples.ts");
    const examples = readExamples(file, await readFile(resolve(terminal.folder, file), "utf8"));
    const { env, folder, probe } = terminal;
    const outcomes = await runExamples(await gather({ env, folder, file: values.config, probe }), examples);
    const right = outcomes.filter(({ isRight }) => isRight).length;
    if (values.json) terminal.out(`${JSON.stringify({ examples: outcomes.map(toJson), right }, null, 2)}\n`);
    else terminal.out(`${alignColumns(outcomes.map(toRow))}${right} of ${outcomes.length} as expected\n`);
    return right === outcomes.length ? 0 : 1;
  },
});

function toRow({ example, outcome, guard, reason, isRight }: ExampleOutcome): string[] {
  const by = guard === undefined ? "" : `by ${guard} (${reason})`;
  return [
    isRight ? "ok" : "WRONG",
    `line ${example.line}`,
    `${outcome}${isRight ? "" : `, not ${example.expect}`}`,
    by,
  ];
}

function toJson({ example: { line, expect }, outcome, guard, reason, isRight }: ExampleOutcome) {
  return { line, expect, outcome, guard, reason, ok: isRight };
}
