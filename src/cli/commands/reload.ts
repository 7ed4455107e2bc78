import { defineCommand } from "../program/command.ts";

/** `tollgate reload`: a running gateway reads its configuration again. */
export const reload = defineCommand({
  name: "reload",
  summary: "have the running gateway read its configuration again",
  usage: "",
  about:
    "Signals the gateway over the store of this folder to read its configuration again, and prints what changed. The whole\n" +
    "configuration is checked first. What cannot be used, or needs a restart, is refused with the reason, and the former\n" +
    "configuration stays. Requests under way end as they began.\n" +
    "\n" +
    "Providers, their credentials, network, rules, timeouts, retries, circuits, prices, the cache and logLevel can change. The gateway\n" +
    "keeps the environment that it was started with: a variable that has changed since needs a restart.",
  words: [0, 0],
  options: {
    config: { kind: "text", value: "file", short: "c", about: "configuration file that names the store" },
    store: {
      kind: "text",
      value: "file",
      about: "store file of the gateway; default: the configuration's, or tollgate.db",
    },
    "pid-file": {
      kind: "text",
      value: "file",
      about: "process file of the gateway, if it was started with --pid-file",
    },
  },
  examples: [
    ["tollgate reload", "read the configuration of the gateway in this folder again"],
    ["tollgate reload --pid-file /run/tollgate.pid", "the same for a gateway that was started with this --pid-file"],
    ["kill -HUP $(head -1 tollgate.db.pid)", "the same without waiting for the outcome"],
  ],
  async run({ values }, terminal) {
    const { config, store, "pid-file": processFile } = values;
    return (await import("../../server/reload/request-reload.ts")).requestReload(
      { config, store, processFile },
      terminal,
    );
  },
});
