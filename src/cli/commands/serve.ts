import { defineCommand, UsageError } from "../command.ts";
import { logLevels } from "../log-levels.ts";

/** `tollgate serve`: the HTTP API over everything that the environment and the configuration name. */
export const serve = defineCommand({
  name: "serve",
  summary: "serve the HTTP API over your providers",
  usage: "",
  about:
    "Finds providers in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, …), on this machine (Ollama and the like, when they\n" +
    "answer) and in tollgate.config.{ts,js,json,yaml}, and serves them under the OpenAI-compatible API. Keys, budgets and the\n" +
    "ledger are kept in a file, tollgate.db of this folder unless told otherwise; in an empty one a first key is made and shown once.\n" +
    "Several gateways share them in a PostgreSQL database (store), and count together in a Redis server (counters).\n" +
    "The portal is served at / and under /api; server.service of the configuration guards /api with a credential for operators.\n" +
    "metrics of the configuration serves a page for Prometheus; an OpenTelemetry SDK that was registered before is told.\n" +
    "SIGTERM and Ctrl-C finish what is under way first.",
  words: [0, 0],
  options: {
    config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
    port: {
      kind: "integer",
      value: "port",
      short: "p",
      least: 0,
      most: 65_535,
      about: "8080 unless given; 0 for any free one",
    },
    host: { kind: "text", value: "host", about: "127.0.0.1, this machine only, unless given; 0.0.0.0 for all" },
    store: {
      kind: "text",
      value: "file|url",
      about: "where keys and ledger are: a file, or postgres://…; tollgate.db unless the configuration says so",
    },
    "no-store": { kind: "flag", about: "keep nothing: no keys, no budgets, no ledger; everybody who connects may ask" },
    open: { kind: "flag", about: "answer also without a key" },
    "log-level": {
      kind: "text",
      value: "level",
      choices: logLevels,
      about: `one of ${logLevels.join(", ")}; info unless given`,
    },
    check: {
      kind: "flag",
      about: "check the configuration as far as that goes without a port, a file or a server, and end",
    },
    grace: { kind: "duration", value: "time", about: "how long a stop waits for what is under way; 30s unless given" },
  },
  examples: [
    ["tollgate serve", "port 8080, this machine only"],
    ["tollgate serve --port 0 --log-level warn", "any free port, a quiet log"],
    ["tollgate serve --config ./gateway.yaml --host 0.0.0.0", "other settings, for other machines"],
    ["tollgate serve --store /var/lib/tollgate/keys.db", "keys and ledger in another file"],
    [
      "tollgate serve --store postgres://localhost/gateway",
      "… or in a database (password: `store: env:NAME` in the file)",
    ],
    ["tollgate serve --check", "is the configuration good? Exits with 1 where it is not"],
    ["tollgate serve > requests.log", "the log as JSON lines in a file, the rest on the screen"],
  ],
  async run({ values }, terminal) {
    const { config: file, port, host, grace: graceMs, "log-level": logLevel, open: isOpen = false } = values;
    if (values.store !== undefined && values["no-store"])
      throw new UsageError("--store and --no-store exclude each other.", "");
    const store = values["no-store"] ? (false as const) : values.store;
    const options = { file, port, host, logLevel, graceMs, store, isOpen };
    if (values.check) return (await import("../serve/check.ts")).checkServer(options, terminal);
    return (await import("../serve/run.ts")).runServer(options, terminal);
  },
});
