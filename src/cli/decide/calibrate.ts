import { storeOptions } from "../../server/store/with-store.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate decide calibrate`. */
export const calibrateCommand = defineCommand({
  name: "decide calibrate",
  summary: "fit maps to labelled answers",
  usage: "<file.jsonl> <model>",
  about:
    "Reads one case a line, as JSON: { state, answers, questions, recorded }. `answers` are the right ones by the name of the question,\n" +
    "as in `examples` of a decision; `questions` are those of a decision in the map form and may be left out where a line before has\n" +
    "them; `recorded` are answers that the model gave before. It is asked for the others, which is billed as any call.\n\n" +
    "A temperature and Platt scaling are compared with the model's own probabilities, on answers that a fit has not seen; the one with\n" +
    "the least log loss is stored, for the way of asking that the options say. At least ten answers to a question are needed.",
  words: [2, 2],
  options: {
    name: { kind: "text", value: "text", about: "what answers call the map; default: the name of the question" },
    kind: {
      kind: "text",
      value: "kind",
      choices: ["temperature", "platt"],
      about: "fit only this kind: temperature or platt",
    },
    method: {
      kind: "text",
      value: "way",
      choices: ["native", "tokens", "tool"],
      about: "the only way to ask: native, tokens or tool",
    },
    labels: {
      kind: "text",
      value: "style",
      choices: ["letters", "words"],
      about: "what options are called: letters (default) or words",
    },
    permutations: { kind: "integer", value: "n", least: 1, most: 40, about: "most orders of the options; default: 1" },
    prior: { kind: "flag", about: "divide by the answer about an empty state" },
    json: { kind: "flag", about: "print the reports as JSON" },
    ...storeOptions,
  },
  examples: [
    ["tollgate decide calibrate refunds.jsonl openai/gpt-4o", "ask about every case, and store what is better"],
    [
      "tollgate decide calibrate refunds.jsonl openai/gpt-4o --permutations 2 --name refunds-june",
      "for decisions with two orders of the options",
    ],
  ],
  async run({ words: [file = "", model = ""], values }, terminal) {
    const { calibrate } = await import("./run-calibrate.ts");
    return calibrate({ file, model, values }, terminal);
  },
});
