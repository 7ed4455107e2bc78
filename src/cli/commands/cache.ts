import { type CommandGroup, defineCommand } from "../program/command.ts";

const review = defineCommand({
  name: "cache review",
  summary: "label pairs of similar questions, and see the precision at thresholds",
  usage: "<file>",
  about:
    "Shows the pairs that `cache.review` of the configuration records: questions that were given, or in shadow mode would have been\n" +
    "given, the answer to a similar one. Asks for each whether one answer is right for both, stores that in the same file, and prints\n" +
    "how many hits would be right at each threshold. Without a terminal, --labels takes the answers and --json prints pairs with ids.",
  options: {
    labels: { kind: "text", value: "file", about: 'take labels from JSON lines {"id": "…", "same": true}; - is stdin' },
    json: { kind: "flag", about: "print pairs and precision as JSON" },
  },
  examples: [
    ["tollgate cache review pairs.jsonl", "label pairs one by one"],
    ["tollgate cache review pairs.jsonl --json", "pairs with ids, and the precision at thresholds"],
    ["tollgate cache review pairs.jsonl --labels labels.jsonl", "store labels from a file"],
  ],
  words: [1, 1],
  async run({ words: [file = ""], values: { json = false, labels } }, terminal) {
    const { reviewPairs } = await import("../usage/review-pairs.ts");
    return reviewPairs({ file, isJson: json, labels }, terminal);
  },
});

/** `tollgate cache …`. */
export const cache: CommandGroup = {
  name: "cache",
  summary: "review the hits of the semantic cache",
  about: "Shows how good the answers to similar questions are.",
  commands: { review },
  examples: review.examples.slice(0, 1),
};
