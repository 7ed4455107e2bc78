import { describe, expect, it } from "vitest";
import { fileNames } from "../../../../src/server/config/file.ts";
import { failure, read, readText, write } from "../../../cli/support/config-folder.ts";

describe("a configuration file", () => {
  const key = { GROQ_API_KEY: "gsk-0123456789-wxyz" };

  it.each([
    ["tollgate.config.yaml", "server: { port: 9 }\nproviders: { groq: {} }"],
    ["tollgate.config.yml", "server:\n  port: 9\nproviders:\n  groq: true"],
    ["tollgate.config.json", '{"server":{"port":9},"providers":{"groq":{"apiKey":"env:GROQ_API_KEY"}}}'],
    ["tollgate.config.js", "export default { server: { port: 9 }, providers: { groq: {} } };"],
    ["tollgate.config.mjs", "export default { server: { port: 9 }, providers: { groq: {} } };"],
  ])("is found as %s", async (name, text) => {
    expect(fileNames).toContain(name);
    write(name, text);
    const { config, file, sources } = await read(key);
    expect({ port: config.server?.port, file }).toEqual({ port: 9, file: name });
    expect(sources.map(({ from, name: provider, keyEnd }) => [provider, from, keyEnd])).toEqual([
      ["groq", name, "wxyz"],
      ["local", "built in", undefined],
    ]);
  });

  it.each(["tollgate.config.ts", "tollgate.config.mts"])("is found as %s, where Node strips types", async (name) => {
    expect(fileNames).toContain(name);
    write(name, "const port: number = 9; export default { server: { port } };");
    if (process.features.typescript) {
      expect(await read()).toMatchObject({ config: { server: { port: 9 } }, file: name });
    } else {
      const message = `${name} needs Node.js 22.18 or newer to be read (this is ${process.versions.node}); or write it as .js, .json or .yaml.`;
      expect((await failure(read())).message).toBe(message);
    }
  });

  it("is not needed", async () => {
    expect(await read()).toMatchObject({ config: {}, file: undefined, sources: [{ name: "local" }] });
  });

  it("may be empty", async () => {
    expect((await readText("")).config).toEqual({});
  });

  it("is one: two of them are an error that names both", async () => {
    for (const name of ["tollgate.config.json", "tollgate.config.yaml"]) write(name, "{}");
    expect((await failure(read())).message).toBe(
      "tollgate.config.json and tollgate.config.yaml are both there: keep one, or choose it with --config.",
    );
    expect((await read({}, "tollgate.config.json")).file).toBe("tollgate.config.json");
  });

  it.each([
    ["none.yaml", undefined, "none.yaml is not there."],
    ["tollgate.toml", "", "tollgate.toml has no ending of .ts, .mts, .js, .mjs, .json, .yaml, .yml."],
    ["a.json", '{"apiKey": "sk-secret-1", x}', "a.json is not valid JSON"],
    ["a.json", '{"a": 1,}', "a.json is not valid JSON (comments and trailing commas are not allowed)."],
    ["a.yaml", "a: [1\nkey: sk-secret-1", "a.yaml is not valid YAML at line 2, column 1."],
    ["a.yaml", "a: *b", "a.yaml is not valid YAML"],
    ["a.mjs", "export const config = {};", "a.mjs has no default export."],
    ["a.mjs", "throw new Error('no luck')", "a.mjs fails: no luck."],
  ])("that cannot be read is named, without a line of it: %s %j", async (name, text, message) => {
    const error = await failure(text === undefined ? read({}, name) : readText(text, name));
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("sk-secret");
    expect(error.message.trim().split("\n")).toHaveLength(1);
  });
});

describe("a service credential", () => {
  it("is taken from the file and the environment, and is to be seen nowhere as it is written and as it is sent", async () => {
    const text = "server: { service: { user: operator, password: env:OPERATOR, token: t0k3n-of-operators } }";
    const { config, secrets } = await readText(text, "gateway.yaml", { OPERATOR: "pass:wörd" });
    const service = { user: "operator", password: "pass:wörd", token: "t0k3n-of-operators" };
    expect(config.server?.service).toEqual(service);
    const sent = Buffer.from("operator:pass:wörd").toString("base64");
    expect(secrets).toEqual(["pass:wörd", "t0k3n-of-operators", sent]);
  });

  it("in an address of the counters is to be seen nowhere, whichever form they have", async () => {
    const address = "redis://:hush-hush@counters";
    for (const form of [address, `{ address: "${address}" }`]) {
      const { config, secrets } = await readText(`counters: ${form}`);
      expect([config.counters, secrets]).toEqual([{ address }, ["hush-hush"]]);
    }
  });

  it("is none unless it is given", async () => {
    expect((await readText("server: { port: 9 }")).secrets).toEqual([]);
  });
});

describe("each mistake names its field", () => {
  it.each([
    ["[]", undefined, "The configuration must be an object, not a list."],
    [
      "prot: 1",
      "prot",
      "`prot` is not a setting. Valid names: server, store, storeUnavailable, counters, ledger, prices, pricesInterval, tokens, cache, metrics, circuit, rules, order, recovery, hedge, concurrency, requireKey, keyPrefix, unpriced, mcp, stablePrompts, gatherMs, timeouts, retry, regions, publicUrl, mail, oidc, webhooks, tiers, uplift, backupPolicies, backupPlaces, guards, network, logLevel, discover, providers.",
    ],
    ["provider: {}", "provider", "`provider` is not a setting; did you mean `providers`?"],
    ["server: { prot: 1 }", "server.prot", "`server.prot` is not a setting; did you mean `port`?"],
    [
      "rules: [{ name: a, when: { metadta: {} }, use: {} }]",
      "rules.0.when.metadta",
      "`rules.0.when.metadta` is not a setting; did you mean `metadata`?",
    ],
    [
      "rules: [{ name: a, when: {}, use: {}, priority: 1 }]",
      "rules.0.priority",
      "`rules.0.priority` is not a setting. Valid names: name, when, use.",
    ],
    ["metrics: { prt: 1 }", "metrics.prt", "`metrics.prt` is not a setting; did you mean `port`?"],
    [
      "counters: { address: 'redis://a', hardlapse: 1 }",
      "counters.hardlapse",
      "`counters.hardlapse` is not a setting; did you mean `hardLapse`?",
    ],
    ["counters: { address: 'http://a' }", "counters.address", "must be an address that begins with `redis://`"],
    ["counters: http://a", "counters", "must be an address that begins with `redis://`"],
    ["counters: { hardLapse: 1 }", "counters", "`counters` must be an address, or an `address` and `hardLapse`."],
    ["server: 8080", "server", "`server` must be an object, not a number."],
    ["server: { port: http }", "server.port", "`server.port` must be a number, not a string."],
    ["server: { port: 70000 }", "server.port", "`server.port` must be at most 65535."],
    ["server: { port: 1.5 }", "server.port", "`server.port` must be a whole number."],
    ["server: { host: '' }", "server.host", "`server.host` must not be empty."],
    ["server: { bodyLimit: 0 }", "server.bodyLimit", "`server.bodyLimit` must be more than 0."],
    ["server: { cors: yes please }", "server.cors", "`server.cors` must be `true` or a list of origins."],
    ["server: { cors: ['*', nonsense] }", "server.cors.1", "`server.cors.1` must be an origin as browsers send it"],
    ["server: { cors: [''] }", "server.cors.0", "`server.cors.0` must be an origin"],
    [
      "keyPrefix: schlüssel-",
      "keyPrefix",
      "`keyPrefix` must be ASCII without spaces, since keys are sent in a header.",
    ],
    ["keyPrefix: 'sk tg '", "keyPrefix", "`keyPrefix` must be ASCII without spaces"],
    [
      "ledger: { keepDays: 90, keepSumsDays: 30 }",
      "ledger.keepSumsDays",
      "`ledger.keepSumsDays` must be at least `ledger.keepDays`: requests are forgotten with the sums of their days.",
    ],
    [
      "server: { service: {} }",
      "server.service",
      "`server.service` needs `user` and `password`, or `token`, or all three.",
    ],
    ["server: { service: true }", "server.service", "`server.service` must be an object, not a boolean."],
    ["server: { service: { user: a } }", "server.service.password", "is required with `user`."],
    ["server: { service: { password: hush-hush } }", "server.service.user", "is required with `password`."],
    ["server: { service: { user: a, password: '' } }", "server.service.password", "must not be empty."],
    ["server: { service: { user: a, password: 5 } }", "server.service.password", "must be a string, not a number."],
    ["server: { service: { user: 'a:b', password: c } }", "server.service.user", "must not contain a colon"],
    ["server: { service: { user: a, pasword: b } }", "server.service.pasword", "did you mean `password`?"],
    ["server: { service: { token: hush hush } }", "server.service.token", "must be ASCII without spaces"],
    [
      "server: { service: { token: env:NOPE } }",
      "server.service.token",
      "refers to the environment variable NOPE, which is not set.",
    ],
    ["server: { service: { token: SK-tg-hush } }", "server.service.token", "must not begin with sk-tg-"],
    [
      "keyPrefix: hu\nserver: { service: { token: hush } }",
      "server.service.token",
      "must not begin with hu, the prefix of virtual keys",
    ],
    ["timeouts: { gap: -1 }", "timeouts.gap", "`timeouts.gap` must be more than 0."],
    ["retry: { retries: many }", "retry.retries", "`retry.retries` must be a number, not a string."],
    ["logLevel: loud", "logLevel", "`logLevel` must be one of fatal, error, warn, info, debug, trace, silent."],
    ["discover: 1", "discover", "`discover` must be a boolean, not a number."],
    ["providers: 5", "providers", "`providers` must be an object by name, or a list."],
    ["providers: [5]", "providers.0", "`providers.0` must be a provider, such as openai({ … })."],
    ["providers: [{}]", "providers.0.name", "`providers.0.name` must be a string."],
    [
      "providers: { opanai: {} }",
      "providers.opanai",
      "has no `baseUrl` as a server of your own has; did you mean `openai`?",
    ],
    ["providers: { My LLM: {} }", "providers.My LLM", "is not a valid provider name"],
    [
      "providers: { openai: 5 }",
      "providers.openai",
      "must be an object of settings, `true`, or `false` to switch it off.",
    ],
    [
      "providers: { openai: {} }",
      "providers.openai.apiKey",
      "is missing: write it as env:OPENAI_API_KEY, or set that variable.",
    ],
    ["providers: { openai: { apikey: x } }", "providers.openai.apikey", "is not a setting; did you mean `apiKey`?"],
    ["providers: { openai: { apiKey: 5 } }", "providers.openai.apiKey", "must be a string, not a number."],
    ["providers: { openai: { apiKey: '' } }", "providers.openai.apiKey", "must not be empty."],
    ["providers: { azure: { apiKey: x } }", "providers.azure.baseUrl", "is missing."],
    ["providers: { lab: { baseUrl: 'localhost:1' } }", "providers.lab.baseUrl", "must be an http or https address."],
    [
      "providers: { lab: { baseUrl: 'http://a', models: 5 } }",
      "providers.lab.models",
      "must be a path or a list of models.",
    ],
    ["providers: { lab: { kind: grok } }", "providers.lab.kind", "is unknown; did you mean `groq`?"],
    ["providers: { lab: { kind: 5 } }", "providers.lab.kind", "must be a string."],
    ["providers: { local: { pauseMs: -1 } }", "providers.local.pauseMs", "must be at least 0."],
    ["providers: { lab: { baseUrl: 'http://u:p@a/v1' } }", "providers.lab.baseUrl", "without user name"],
    [
      "providers: { lab: { baseUrl: 'http://a', headers: { 'a b': c } } }",
      "providers.lab.headers.a b",
      "must not hold",
    ],
    [
      "providers: { openai: { apiKey: env:NOPE } }",
      "providers.openai.apiKey",
      "refers to the environment variable NOPE, which is not set.",
    ],
    ["store: true", "store", "must be a file, an address or `false`."],
    ["ledger: { keepDays: 0 }", "ledger.keepDays", "must be more than 0."],
    ["ledger: { keepDay: 3 }", "ledger.keepDay", "is not a setting; did you mean `keepDays`?"],
    ["tokens: exact", "tokens", "must be `tiktoken` or `estimate`."],
    ["prices: 5", "prices", "must be a file, an address, or prices by model."],
    ["order: fastest", "order", "must be one of given, weight, price, latency."],
    ["requireKey: yes please", "requireKey", "must be a boolean, not a string."],
    ["hedge: { after: 3 }", "hedge.after_ms", "is missing."],
    [
      "providers: { openai: { apiKey: a, credentials: [{ id: b, apiKey: c }] } }",
      "providers.openai.apiKey",
      "cannot be combined with `credentials`; set one of them.",
    ],
    ["providers: { openai: { credentials: [] } }", "providers.openai.credentials", "must hold at least one key"],
    ["providers: { openai: { credentials: [{ id: b }] } }", "providers.openai.credentials.0.apiKey", "is missing."],
    [
      "providers: { openai: { credentials: [{ id: b, apiKey: c }, { id: b, apiKey: d }] } }",
      "providers.openai.credentials.1.id",
      "is there twice",
    ],
    ["server: { port: env:EMPTY }", "server.port", "refers to the environment variable EMPTY, which is not set."],
    ["server: { host: 'env:' }", "server.host", "refers to a variable without a name; write `env:NAME`."],
  ])("%s", async (text, param, message) => {
    const error = await failure(readText(text, "gateway.yaml", { EMPTY: "" }));
    expect(error.message.startsWith("gateway.yaml: ")).toBe(true);
    expect(error.message).toContain(message);
    expect(error.message).not.toContain("hush");
    expect(error.param).toBe(param);
  });

  it("a variable whose key cannot be sent is named itself", async () => {
    const error = await failure(read({ GROQ_API_KEY: "schlüssel-€-secret" }));
    expect(error.message).toBe("GROQ_API_KEY: `apiKey` of groq is not a possible header value.");
  });
});
