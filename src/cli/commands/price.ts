import { defineCommand } from "../program/command.ts";

/** `tollgate price`: what a model costs, as bills have it. */
export const price = defineCommand({
  name: "price",
  summary: "show the price and the context size of a model",
  usage: "<model>",
  about:
    "Shows the rates that the ledger bills with: the built-in catalogue, overridden by `prices` in the configuration. Rates have the\n" +
    "names of the common per-token format. Tiers and service tiers have rates of their own. Exit code 1 if the price is unknown or\n" +
    "incomplete.",
  words: [1, 1],
  options: {
    json: { kind: "flag", about: "print the known facts as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [
    ["tollgate price anthropic/claude-sonnet-5", "the price at one provider"],
    ["tollgate price gpt-5", "the price at every provider that offers the model"],
  ],
  async run({ words: [model = ""], values: { config, json = false } }, terminal) {
    const { showPrice } = await import("../usage/show-price.ts");
    return showPrice({ model, config, isJson: json }, terminal);
  },
});
