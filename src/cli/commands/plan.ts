import type { ProviderVerb } from "../../ports.ts";
import type { Plan } from "../../route/plan.ts";
import { defineCommand } from "../command.ts";
import { alignColumns } from "../words.ts";

const verbs: Readonly<Record<string, ProviderVerb>> = {
  chat: "chat",
  stream: "streamChat",
  embed: "embed",
  rerank: "rerank",
  decide: "decide",
};

/** `tollgate plan`: the route of a request, without asking anybody. */
export const plan = defineCommand({
  name: "plan",
  summary: "show who would be asked, in order, and why the others would not",
  usage: "<model>",
  about: "Shows the route that a request would take. No provider is asked. Exit code 1 when none could be.",
  words: [1, 1],
  options: {
    fallback: { kind: "list", value: "model", short: "f", about: "asked when those before it fail; may be repeated" },
    verb: {
      kind: "text",
      value: "verb",
      choices: Object.keys(verbs),
      about: `one of ${Object.keys(verbs).join(", ")}; chat unless given`,
    },
    json: { kind: "flag", about: "print the plan as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
  },
  examples: [
    ["tollgate plan openai/gpt-5 -f anthropic/claude-sonnet-5 -f local/echo", "three candidates"],
    ["tollgate plan openai/gpt-5 -f groq/", "the same model at another provider"],
    ["tollgate plan openai/text-embedding-3-small --verb embed", "who would embed"],
  ],
  async run({ words: [model = ""], values }, terminal) {
    const { openEngine } = await import("../open-engine.ts");
    const { engine } = await openEngine(terminal, values.config);
    const route = engine.plan({ model, fallbacks: values.fallback }, { verb: verbs[values.verb ?? "chat"] });
    await engine.close();
    terminal.out(values.json ? `${JSON.stringify(route, null, 2)}\n` : writePlan(route));
    return route.targets.length > 0 ? 0 : 1;
  },
});

function writePlan({ targets, skipped }: Plan): string {
  const asked = targets.map(({ name }, position) => [`${position + 1}.`, name]);
  const left = skipped.map(({ entry, reason, message }) => [entry, reason, message]);
  return [
    asked.length === 0 ? "Nobody would be asked.\n" : `Asked in this order:\n${alignColumns(asked)}`,
    left.length === 0 ? "" : `Left out:\n${alignColumns(left)}`,
  ].join("");
}
