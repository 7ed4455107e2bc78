import { defineCommand } from "../program/command.ts";

/** `tollgate demo`: a store with something in every area. */
export const demo = defineCommand({
  name: "demo",
  summary: "create a store with sample tenants, keys, usage and a small cloud",
  usage: "",
  about:
    "Creates a store with sample data: a reseller with two clients, their users, projects and keys, and a month of usage. The\n" +
    "embedded cloud gets servers, disks with a backup, networks, a cluster and a shared object. Without a configuration it writes one\n" +
    "next to the store, with two vendors that echo at list prices and what the reseller adds. It changes nothing outside this folder\n" +
    "and calls no provider. It refuses a store that already has users. It prints the access tokens once.",
  words: [0, 0],
  options: {
    store: { kind: "text", value: "file|url", about: "the new store; default: tollgate-demo.db" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
    json: { kind: "flag", about: "print the created records as JSON, including the tokens" },
  },
  examples: [["tollgate demo", "then run tollgate serve --store tollgate-demo.db --config tollgate-demo.json"]],
  async run({ values }, terminal) {
    const { runDemo } = await import("../demo/run.ts");
    return runDemo(
      { store: values.store ?? "tollgate-demo.db", config: values.config, isJson: values.json === true },
      terminal,
    );
  },
});
