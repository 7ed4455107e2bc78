import { type CommandGroup, defineCommand } from "../program/command.ts";

const json = { kind: "flag", about: "print JSON" } as const;

const show = defineCommand({
  name: "price",
  summary: "show the rates that the ledger bills with",
  usage: "<model>",
  about: "Shows the price and the context size of a model.",
  words: [1, 1],
  options: {
    json: { kind: "flag", about: "print the known facts as JSON" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [["tollgate price gpt-5", "the price at every provider that offers the model"]],
  async run({ words: [model = ""], values: { config, json = false } }, terminal) {
    const { showPrice } = await import("../usage/show-price.ts");
    return showPrice({ model, config, isJson: json }, terminal);
  },
});

const list = defineCommand({
  name: "price list",
  summary: "list known models with their prices, a page at a time",
  usage: "",
  about:
    "Lists the models of the price list by name, with the rates of text tokens; --json has all rates. Pages, search and order are those\n" +
    "of the portal's `GET /ai/prices/models`.",
  words: [0, 0],
  options: {
    provider: { kind: "text", value: "name", short: "p", about: "only the models of this provider" },
    mode: { kind: "text", value: "mode", about: "only those of a mode: chat, embedding, rerank, …" },
    unpriced: { kind: "flag", about: "only models without a price" },
    search: { kind: "text", value: "text", about: "only models whose name or mode contains the text" },
    sort: { kind: "text", value: "field", about: "a field or rate of --json to sort by; with - in front the reverse" },
    limit: { kind: "integer", value: "n", least: 1, most: 1_000, about: "models of a page; default: 100" },
    after: { kind: "text", value: "cursor", about: "go on behind a page, as it says on stderr" },
    json,
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
  },
  examples: [
    ["tollgate price list --search gpt-5 --provider openai", "the models of one family"],
    ["tollgate price list --mode chat --sort=-output_cost_per_token --limit 10", "the ten dearest chat models"],
    ["tollgate price list --unpriced", "models that hard budgets refuse"],
  ],
  async run({ values: { json: isJson = false, unpriced, ...query } }, terminal) {
    const { listPrices } = await import("../usage/list-prices.ts");
    return listPrices({ ...query, is_priced: unpriced ? false : undefined, config: query.config, isJson }, terminal);
  },
});

const sync = defineCommand({
  name: "price sync",
  summary: "bring a file of prices up to date",
  usage: "<source>",
  about:
    "Reads a price list from an address or a file (LiteLLM's format, models.dev's or that of `prices`), checks it as a gateway would,\n" +
    "and replaces the file whole. A gateway whose `prices` names the file takes it without a restart; bills keep the prices that they\n" +
    "were made with. A list that lacks more than a fifth of the former models is refused.",
  words: [1, 1],
  options: {
    file: { kind: "text", value: "file", about: "the file that gateways read; default: prices.json" },
    interval: { kind: "duration", value: "time", about: "repeat until stopped, such as every 6h; 10s at least" },
    force: { kind: "flag", about: "take a list also if it lacks many of the former models" },
  },
  examples: [
    ["tollgate price sync https://prices.example/models.json", "write prices.json once"],
    ["tollgate price sync https://prices.example/models.json --interval 6h", "four times a day"],
  ],
  async run({ words: [source = ""], values: { file = "prices.json", interval, force = false } }, terminal) {
    const { syncPrices } = await import("../../server/store/prices/sync-prices.ts");
    const intervalMs = interval === undefined ? undefined : Math.max(interval, 10_000);
    return syncPrices({ source, file, isForced: force, intervalMs }, terminal);
  },
});

const diff = defineCommand({
  name: "price diff",
  summary: "compare the prices of two sources",
  usage: "<a> [b]",
  about:
    "Compares two price lists rate by rate: files, addresses, or built-in for the prices that tollgate comes with; b is built-in by\n" +
    "default. Prices are those of today, in US dollars per unit. Exit code 1 if the lists differ.",
  words: [1, 2],
  options: { json },
  examples: [
    ["tollgate price diff prices.json", "a file and the built-in prices"],
    ["tollgate price diff prices.json https://prices.example/models.json", "what a sync would change"],
  ],
  async run({ words: [a = "", b], values: { json: isJson = false } }, terminal) {
    const { builtInWord, diffPrices } = await import("../../server/store/prices/diff-prices.ts");
    return diffPrices({ a, b: b ?? builtInWord, isJson }, terminal);
  },
});

/** `tollgate price …`: what a model costs, as bills have it, and where prices come from. */
export const price: CommandGroup = {
  name: "price",
  summary: "show, compare and update prices of models",
  about:
    "Shows the rates that the ledger bills with: the built-in catalogue, overridden by `prices` in the configuration. Rates have the\n" +
    "names of the common per-token format. Tiers and service tiers have rates of their own. Exit code 1 if the price is unknown or\n" +
    "incomplete.\n\n" +
    "`tollgate price <model>` takes --json for the known facts, and --config for another configuration file.",
  commands: { list, sync, diff },
  otherwise: show,
  examples: [
    ["tollgate price anthropic/claude-sonnet-5", "the price at one provider"],
    ["tollgate price gpt-5", "the price at every provider that offers the model"],
    ["tollgate price diff prices.json", "a file and the built-in prices"],
  ],
};
