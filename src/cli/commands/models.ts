import type { Model } from "../../engine/api/models.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate models`: what the providers offer. */
export const models = defineCommand({
  name: "models",
  summary: "list the models of your providers",
  usage: "",
  about:
    "Lists the models of all providers by the names that requests use. If a provider fails, a warning goes to stderr and the others\n" +
    "are still listed. In a pipe the output is one name per line.",
  words: [0, 0],
  options: {
    provider: { kind: "text", value: "name", short: "p", about: "list only the models of this provider" },
    json: { kind: "flag", about: "print JSON, as GET /v1/models returns it" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [
    ["tollgate models", "list all models"],
    ["tollgate models --provider openai | grep mini", "pipe the names into another program"],
  ],
  async run({ values }, terminal) {
    const { openEngine } = await import("../../server/open-engine.ts");
    const { engine } = await openEngine(terminal, values.config);
    try {
      const answer = await engine.models({ provider: values.provider });
      for (const warning of answer.extra_fields?.warnings ?? []) terminal.err(`tollgate: ${warning}\n`);
      const names = () => answer.data.map(({ id }) => `${id}\n`).join("");
      const list = terminal.isOutputTty ? writeModels : names;
      terminal.out(values.json ? `${JSON.stringify(answer, null, 2)}\n` : list(answer.data));
      return 0;
    } finally {
      await engine.close();
    }
  },
});

function writeModels(found: readonly Model[]): string {
  if (found.length === 0) return "No models.\n";
  const rows = found.map(({ id, name, context_length, pricing }) => [
    id,
    context_length === undefined ? "" : `${Math.round(context_length / 1_000)}k context`,
    pricing?.prompt === undefined
      ? ""
      : `${perMillion(pricing.prompt)} in, ${perMillion(pricing.completion)} out per million tokens`,
    name ?? "",
  ]);
  return alignColumns(rows);
}

function perMillion(price: string | undefined): string {
  return `$${Number((Number(price ?? "0") * 1_000_000).toFixed(4))}`;
}
