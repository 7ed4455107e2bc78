import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { importLitellm } from "../../../../../src/cli/import/litellm/command.ts";
import { textOf } from "../../../../../src/index.ts";
import { openEngine } from "../../../../../src/server/open-engine.ts";
import { fakeTerminal } from "../../../support/fake-terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-import-"));
beforeAll(() =>
  copyFileSync(new URL("../../../../fixtures/import/litellm.yaml", import.meta.url), join(folder, "config.yaml")),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(file = "config.yaml", out?: string) {
  const terminal = fakeTerminal({ folder });
  const code = await importLitellm.run({ words: [file], values: out === undefined ? {} : { out } }, terminal);
  return { code, ...terminal.written };
}

/** The configuration that comes of a text. */
async function convert(text: string) {
  writeFileSync(join(folder, "case.yaml"), text);
  const { out, err } = await run("case.yaml");
  return { config: parse(out), remarks: err };
}

describe("tollgate import litellm", () => {
  it("makes providers of `model_list`: one for each vendor and address, with its keys", async () => {
    const { providers, prices } = parse((await run()).out);
    expect(providers).toEqual({
      openai: {
        credentials: [
          { id: "key-1", apiKey: "env:OPENAI_KEY_ONE", weight: 3 },
          { id: "key-2", apiKey: "env:OPENAI_KEY_TWO", weight: 1, models: ["gpt-5"] },
        ],
      },
      azure: { baseUrl: "https://our-resource.openai.azure.com", apiKey: "env:AZURE_KEY" },
      groq: { apiKey: "env:GROQ_API_KEY" },
      anthropic: { apiKey: "env:ANTHROPIC_API_KEY" },
      own: { baseUrl: "http://127.0.0.1:9/v1", headers: { "x-team": "env:LAB_TEAM" }, apiKey: "env:LAB_KEY" },
      bedrock: { region: "us-east-1", apiKey: "env:AWS_BEARER_TOKEN_BEDROCK" },
    });
    expect(prices).toEqual({
      "openai/gpt-5": { input_cost_per_token: 0.000002, output_cost_per_token: 0.00001 },
    });
  });

  it("makes rules of names, aliases and fallbacks, and settings of seconds", async () => {
    const { rules, ...config } = parse((await run()).out);
    const uses = Object.fromEntries(rules.map((rule: { name: string; use: unknown }) => [rule.name, rule.use]));
    const groq = "groq/llama-3.3-70b-versatile";
    const smart = {
      model: "openai/gpt-5",
      fallbacks: ["azure/our-gpt-5", "anthropic/claude-sonnet-5", groq, "own/our-model"],
    };
    expect(uses).toMatchObject({ smart, "gpt-4": smart, cheap: { model: groq, fallbacks: ["own/our-model"] } });
    expect(uses.brave).toEqual(uses.cheap);
    expect(uses.nova.model).toBe("bedrock/amazon.nova-pro-v1:0");
    expect(uses.lab).toEqual({ model: "own/our-model" });
    expect(config).toMatchObject({
      order: "latency",
      retry: { retries: 2 },
      timeouts: { whole: 30_000 },
      circuit: { openMs: 60_000, maxOpenMs: 60_000 },
      cache: { ttl: 600, answers: "env:REDIS_URL" },
    });
  });

  it("names what it did not convert, with its line, and nothing else", async () => {
    const { err, code } = await run();
    expect(code).toBe(0);
    const lines = err.trimEnd().split("\n");
    const places = lines.slice(0, -1).map((line) => line.split(": ").slice(0, 2).join(" "));
    expect(places).toEqual([
      "config.yaml:7 model_list.0.litellm_params.rpm",
      "config.yaml:13 model_list.2",
      "config.yaml:18 model_list.2.litellm_params.api_version",
      "config.yaml:22 model_list.3.litellm_params.api_key",
      "config.yaml:30 model_list.5.litellm_params.extra_headers.x-secret",
      "config.yaml:34 model_list.7.litellm_params",
      "config.yaml:44 router_settings.redis_host",
      "config.yaml:45 router_settings.redis_password",
      "config.yaml:50 litellm_settings.fallbacks.1.cheap",
      "config.yaml:52 litellm_settings.context_window_fallbacks",
      "config.yaml:53 litellm_settings.success_callback",
      "config.yaml:55 litellm_settings.cache_params.password",
      "config.yaml:55 litellm_settings.cache_params",
      "config.yaml:56 litellm_settings.max_budget",
      "config.yaml:57 litellm_settings.budget_duration",
      "config.yaml:60 general_settings.master_key",
      "config.yaml:61 general_settings.database_url",
    ]);
    expect(lines.at(-1)).toBe("17 to look at; what is not named here was converted.");
  });

  it("copies no secret, wherever it stands", async () => {
    const { out, err } = await run();
    expect(out + err).not.toMatch(/secret-of-the-file|literal-secret|gsk-|sk-master/);
    const secret = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/);
    await fc.assert(
      fc.asyncProperty(
        secret,
        fc.boolean(),
        fc.constantFrom("openai", "azure", "groq", "anthropic", "nobody"),
        async (value, hasAddress, vendor) => {
          const litellm_params = {
            model: `${vendor}/m`,
            api_key: value,
            ...(hasAddress ? { api_base: `https://user:${value}@host.example/v1?key=${value}` } : {}),
            extra_headers: { authorization: value },
            azure_ad_token: value,
            nested: { deep: [value] },
          };
          const document = {
            model_list: [
              { model_name: "m", litellm_params },
              { model_name: "n", litellm_params: { ...litellm_params } },
            ],
            router_settings: { redis_password: value, redis_url: `redis://:${value}@host`, routing_strategy: value },
            litellm_settings: { cache: true, cache_params: { type: value, password: value, url: value } },
            general_settings: { master_key: value, database_url: value },
            environment_variables: { OPENAI_API_KEY: value },
          };
          const { config, remarks } = await convert(stringify(document));
          return !JSON.stringify(config).includes(value) && !remarks.includes(value);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("the result is a configuration that the gateway takes", async () => {
    const { out } = await run();
    writeFileSync(join(folder, "made.yaml"), out.replace(/^cache:\n( .*\n)+/m, ""));
    const names = [...out.matchAll(/env:(\w+)/g)].map(([, name = ""]) => [name, "sk-0123456789"] as const);
    const terminal = fakeTerminal({ folder, env: Object.fromEntries(names) });
    const { engine } = await openEngine(terminal, "made.yaml", async () => memoryStore());
    const plan = engine.plan({ model: "gpt-4" });
    expect(JSON.stringify(plan)).toContain("azure/our-gpt-5");
    await engine.close();
  });

  it("a call by LiteLLM's name is served by what stands in for the vendor", async () => {
    const { config } = await convert(
      "model_list:\n  - { model_name: smart, litellm_params: { model: openai/gpt-5, api_key: os.environ/KEY } }\n",
    );
    const served = { ...config, discover: false, providers: { openai: { kind: "local", models: ["gpt-5"] } } };
    writeFileSync(join(folder, "served.yaml"), stringify(served));
    const { engine } = await openEngine(fakeTerminal({ folder }), "served.yaml", async () => memoryStore());
    const answer = await engine.chat({ model: "smart", messages: [{ role: "user", content: "Hello there" }] });
    expect(textOf(answer)).toContain("Hello there");
    expect(answer.extra_fields).toMatchObject({ provider: "openai" });
    await engine.close();
  });

  it("writes a new file only, and refuses what is no configuration", async () => {
    await run("config.yaml", "written.yaml");
    expect(parse(readFileSync(join(folder, "written.yaml"), "utf8"))).toHaveProperty("providers.openai");
    await expect(run("config.yaml", "written.yaml")).rejects.toThrow("written.yaml is there already");
    await expect(run("none.yaml")).rejects.toThrow("none.yaml cannot be read: ENOENT");
    for (const [text, problem] of [
      ["a: [", "not valid YAML at line"],
      ["hello", "has no `model_list`"],
      ["model_list: *none", "not valid YAML"],
    ] as const) {
      writeFileSync(join(folder, "wrong.yaml"), text);
      await expect(run("wrong.yaml")).rejects.toThrow(problem);
    }
  });

  it("takes anything that YAML can hold without a failure of its own", async () => {
    const names = fc.constantFrom(
      "model_list",
      "router_settings",
      "litellm_settings",
      "litellm_params",
      "model",
      "fallbacks",
      "model_name",
      "api_base",
      "cache_params",
      "cache",
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("openai/m", "*", "", null, true, 3),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(names, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, tree, tree, async (model_list, router_settings, litellm_settings) => {
        const { config } = await convert(stringify({ model_list, router_settings, litellm_settings }));
        return typeof config.providers === "object";
      }),
      { numRuns: 200 },
    );
  });
});
