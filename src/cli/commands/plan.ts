import type { ProviderVerb } from "../../engine/ports/provider.ts";
import type { Plan } from "../../engine/routing/plan.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import { defineCommand } from "../program/command.ts";

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
  summary: "show the candidates for a request in order, and why others are skipped",
  usage: "<model>",
  about: "Shows the route that a request would take, without calling a provider. Exit code 1 if there is no candidate.",
  words: [1, 1],
  options: {
    fallback: {
      kind: "list",
      value: "model",
      short: "f",
      about: "model to try when the previous ones fail; repeatable",
    },
    verb: {
      kind: "text",
      value: "verb",
      choices: Object.keys(verbs),
      about: `one of ${Object.keys(verbs).join(", ")}; default: chat`,
    },
    json: { kind: "flag", about: "print the plan as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [
    ["tollgate plan openai/gpt-5 -f anthropic/claude-sonnet-5 -f local/echo", "a model with two fallbacks"],
    ["tollgate plan openai/gpt-5 -f groq/", "fall back to the same model at another provider"],
    ["tollgate plan openai/text-embedding-3-small --verb embed", "the candidates for embeddings"],
  ],
  async run({ words: [model = ""], values }, terminal) {
    const { openEngine } = await import("../../server/open-engine.ts");
    const { engine } = await openEngine(terminal, values.config);
    const route = engine.plan({ model, fallbacks: values.fallback }, { verb: verbs[values.verb ?? "chat"] });
    await engine.close();
    terminal.out(values.json ? `${JSON.stringify(route, null, 2)}\n` : writePlan(route));
    return route.targets.length > 0 ? 0 : 1;
  },
});

function writePlan({ targets, skipped }: Plan): string {
  const candidates = targets.map(({ name }, position) => [`${position + 1}.`, name]);
  const left = skipped.map(({ entry, reason, message }) => [entry, reason, message]);
  return [
    candidates.length === 0 ? "No eligible target.\n" : `Candidates, in order:\n${alignColumns(candidates)}`,
    left.length === 0 ? "" : `Skipped:\n${alignColumns(left)}`,
  ].join("");
}
