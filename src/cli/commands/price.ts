import { defineCommand } from "../command.ts";

/** `tollgate price`: what a model costs, as bills have it. */
export const price = defineCommand({
  name: "price",
  summary: "show what a model costs and how large it is",
  usage: "<model>",
  about:
    "Shows the rates that bills are made with: the built-in ones, and those of `prices` of the configuration over them, by the names\n" +
    "of the common per-token format. Tiers and service tiers are rates of their own. Exit code 1 when no price is known, or half a\n" +
    "price of a chat model.",
  words: [1, 1],
  options: {
    json: { kind: "flag", about: "print what is known as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
  },
  examples: [
    ["tollgate price anthropic/claude-sonnet-5", "of one provider"],
    ["tollgate price gpt-5", "of every provider that has it"],
  ],
  async run({ words: [asked = ""], values: { config, json = false } }, terminal) {
    const { showPrice } = await import("../bill/show-price.ts");
    return showPrice({ asked, config, isJson: json }, terminal);
  },
});
