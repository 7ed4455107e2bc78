import { defineCommand } from "../command.ts";

/** `tollgate demo`: a store with something in every area. */
export const demo = defineCommand({
  name: "demo",
  summary: "fill a new store with a reseller, clients, keys, usage and a small cloud, to look around",
  usage: "",
  about:
    "Makes a store and fills it: a reseller with two clients and their people, projects and keys with a month of usage, and in the\n" +
    "embedded cloud servers, disks with a backup, networks, a cluster and a shared object. Nothing outside this folder is touched and\n" +
    "no provider is asked. A store that has users already is left alone. Tokens are shown once.",
  words: [0, 0],
  options: {
    store: { kind: "text", value: "file|url", about: "the new store; tollgate-demo.db unless given" },
    config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
    json: { kind: "flag", about: "print what was made, tokens included, as JSON" },
  },
  examples: [["tollgate demo", "then: tollgate serve --store tollgate-demo.db"]],
  async run({ values }, terminal) {
    const { runDemo } = await import("../demo/run.ts");
    return runDemo(
      { store: values.store ?? "tollgate-demo.db", config: values.config, isJson: values.json === true },
      terminal,
    );
  },
});
