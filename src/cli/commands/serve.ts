import { logLevels } from "../../server/config/log-levels.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { readWorkers } from "../../server/workers/read-workers.ts";
import { defineCommand } from "../program/command.ts";

/** `tollgate serve`: the HTTP API over everything that the environment and the configuration name. */
export const serve = defineCommand({
  name: "serve",
  summary: "serve the HTTP API over your providers",
  usage: "",
  about:
    "Serves an OpenAI-compatible API over your providers. It finds them in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, …), on\n" +
    "this machine (Ollama and other local servers that respond) and in tollgate.config.{ts,js,json,yaml}.\n" +
    "\n" +
    "Keys, budgets and the ledger are stored in tollgate.db in this folder. With an empty store the command creates a first key and\n" +
    "a first token. It prints them once on a terminal; without one it writes them to tollgate.db.first-key and .first-token, which\n" +
    "only their owner can read. Several gateways can share a PostgreSQL database (store) and count limits in Redis (counters).\n" +
    "\n" +
    "The portal is served at / and under /api. The setting server.service protects /api, and only /api, with an operator credential;\n" +
    "--no-root-portal, or the setting server.portalAtRoot: false, leaves the portal out at /.\n" +
    "The web console for it is at /console; --no-console, or the setting server.console: false, leaves it out. At a terminal a link is\n" +
    "printed that signs in to it once, within ten minutes and on this machine only; without one the first start writes it to\n" +
    "tollgate.db.first-link.\n" +
    "\n" +
    "The setting metrics adds a Prometheus endpoint. A registered OpenTelemetry SDK receives spans and metrics.\n" +
    "\n" +
    "SIGHUP, or `tollgate reload`, has it read the configuration again and take it over without losing a request.\n" +
    "SIGTERM and Ctrl-C stop the server after the requests in flight are done.",
  words: [0, 0],
  options: {
    config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
    port: {
      kind: "integer",
      value: "port",
      short: "p",
      least: 0,
      most: 65_535,
      about: "port; default: 8080; 0 picks a free one",
    },
    host: { kind: "text", value: "host", about: "address; default: 127.0.0.1 (this machine only); 0.0.0.0 for all" },
    store: {
      kind: "text",
      value: "file|url",
      about: "store of keys and ledger: a file or postgres://…; default: the configuration's, or tollgate.db",
    },
    "no-store": { kind: "flag", about: "run without keys, budgets and ledger; every client has access" },
    "no-root-portal": { kind: "flag", about: "serve the portal under /api only, not at /" },
    "no-console": { kind: "flag", about: "leave the web console out" },
    open: { kind: "flag", about: "accept requests without a key" },
    workers: {
      kind: "text",
      value: "n|auto",
      about: "processes on one port; over PostgreSQL they need Redis counters; auto: one a core; default: 1",
    },
    "log-level": {
      kind: "text",
      value: "level",
      choices: logLevels,
      about: `one of ${logLevels.join(", ")}; default: info`,
    },
    check: {
      kind: "flag",
      about: "validate the configuration without opening a port, a store or a connection, then exit",
    },
    "pid-file": {
      kind: "text",
      value: "file",
      about: "where to write the number of the process; default: the store file with .pid behind it",
    },
    "drain-delay": {
      kind: "duration",
      value: "time",
      about: "how long to go on answering before that, with 503 at /health/ready; default: 0s",
    },
    grace: {
      kind: "duration",
      value: "time",
      about: "how long to wait for requests in flight on shutdown; default: 30s",
    },
  },
  examples: [
    ["tollgate serve", "serve on port 8080, for this machine only"],
    ["tollgate serve --port 0 --log-level warn", "use a free port and log warnings only"],
    ["tollgate serve --config ./gateway.yaml --host 0.0.0.0", "use another configuration and accept other machines"],
    ["tollgate serve --store /var/lib/tollgate/keys.db", "use another store file"],
    [
      "tollgate serve --store postgres://localhost/gateway",
      "use a database; put a password in the configuration as `store: env:NAME`",
    ],
    ["tollgate serve --workers auto --config ./gateway.yaml", "use every core"],
    ["tollgate serve --check", "validate the configuration; exit code 1 if it is invalid"],
    ["tollgate serve > requests.log", "write the request log to a file as JSON lines"],
  ],
  async run({ values }, terminal) {
    const { config: file, port, host, grace: graceMs, "log-level": logLevel, open: isOpen = false } = values;
    if (values.store !== undefined && values["no-store"])
      throw new UsageError("--store and --no-store cannot be combined.", "");
    const store = values["no-store"] ? (false as const) : values.store;
    const portalAtRoot = values["no-root-portal"] ? false : undefined;
    const webConsole = values["no-console"] ? false : undefined;
    const { "pid-file": processFile, "drain-delay": drainDelayMs } = values;
    const ending = { graceMs, drainDelayMs, processFile };
    const shown = { portalAtRoot, console: webConsole };
    const options = { file, port, host, logLevel, store, isOpen, ...ending, ...shown };
    const workers = readWorkers(values.workers);
    if (values.check) return (await import("../../server/check.ts")).checkServer(options, terminal);
    const { startServing } = await import("../../server/workers/start.ts");
    return startServing(options, workers, terminal);
  },
});
