import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compatibleProviders } from "../../../adapters/providers/compatible/index.ts";
import { gather } from "../../../src/server/gather.ts";
import { openEngine } from "../../../src/server/open-engine.ts";
import { findProviders } from "../../../src/server/providers/environment.ts";
import type { Environment, Probe } from "../../../src/server/terminal/terminal.ts";
import { startUpstream } from "../../../src/testing/conformance/provider/upstream.ts";
import { fakeTerminal } from "../../cli/support/fake-terminal.ts";

const silent: Probe = async () => undefined;

/** A machine on which these URLs answer. */
function machine(answers: Readonly<Record<string, unknown>>): { readonly probe: Probe; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    probe: async (url) => {
      asked.push(url);
      return answers[url];
    },
  };
}

async function find(env: Environment, probe: Probe = silent) {
  const found = await findProviders(env, probe);
  return found.map(({ name, from, settings }) => [name, from, settings]);
}

const models = (owner: string) => ({ object: "list", data: [{ id: "m", object: "model", owned_by: owner }] });

describe("vendors in the environment", () => {
  it("are found by their usual variables", async () => {
    expect(await find({ OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b", GROQ_API_KEY: "c" })).toEqual([
      ["openai", "OPENAI_API_KEY", { apiKey: "a" }],
      ["anthropic", "ANTHROPIC_API_KEY", { apiKey: "b" }],
      ["groq", "GROQ_API_KEY", { apiKey: "c" }],
    ]);
  });

  it("are found in every row of the table that needs a key", async () => {
    for (const [name, { env = "", urlEnv, baseUrl, needsKey }] of Object.entries(compatibleProviders)) {
      const variables = { [env]: "key", ...(urlEnv === undefined ? {} : { [urlEnv]: "https://mine.example" }) };
      expect((await find(variables)).map(([found]) => found)).toEqual(needsKey ? [name] : []);
      if (needsKey && baseUrl === undefined) expect(await find({ [env]: "key" })).toEqual([]);
    }
  });

  it("go to another address when their variable says so", async () => {
    expect(await find({ OPENAI_API_KEY: "a", OPENAI_BASE_URL: "https://eu.example/v1" })).toEqual([
      ["openai", "OPENAI_API_KEY, OPENAI_BASE_URL", { apiKey: "a", baseUrl: "https://eu.example/v1" }],
    ]);
  });

  it("prefer the first of two variables", async () => {
    expect(await find({ GOOGLE_API_KEY: "second", GEMINI_API_KEY: "first" })).toEqual([
      ["gemini", "GEMINI_API_KEY", { apiKey: "first" }],
    ]);
    expect(await find({ GOOGLE_API_KEY: "second" })).toEqual([["gemini", "GOOGLE_API_KEY", { apiKey: "second" }]]);
  });

  it.each(["", " ", "\n"])("are not there when the variable is %j", async (value) => {
    expect(await find({ OPENAI_API_KEY: value })).toEqual([]);
  });
});

describe("servers of this machine", () => {
  it("are found when they answer as themselves, on their usual ports", async () => {
    const { probe, asked } = machine({
      "http://127.0.0.1:11434/api/version": { version: "0.13.0" },
      "http://127.0.0.1:1234/v1/models": models("organization_owner"),
      "http://127.0.0.1:8000/v1/models": models("vllm"),
      "http://127.0.0.1:30000/v1/models": models("sglang"),
      "http://127.0.0.1:8080/v1/models": models("llamacpp"),
    });
    expect((await find({ VLLM_API_KEY: "k" }, probe)).map(([name, , settings]) => [name, settings])).toEqual([
      ["ollama", { baseUrl: "http://127.0.0.1:11434/v1" }],
      ["lmstudio", { baseUrl: "http://127.0.0.1:1234/v1" }],
      ["vllm", { baseUrl: "http://127.0.0.1:8000/v1", apiKey: "k" }],
      ["sglang", { baseUrl: "http://127.0.0.1:30000/v1" }],
      ["llamacpp", { baseUrl: "http://127.0.0.1:8080/v1" }],
    ]);
    expect(asked).toHaveLength(5);
  });

  it.each([models("tollgate"), { object: "list", data: [] }, { data: {} }, "text", null, 5, [], { version: 5 }])(
    "are not taken for another program on their port: %j",
    async (answer) => {
      expect(await find({}, async () => answer)).toEqual([]);
    },
  );

  it.each([
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:5000", "http://127.0.0.1:5000"],
    ["10.1.2.3", "http://10.1.2.3:11434"],
    ["http://10.1.2.3:80", "http://10.1.2.3"],
    ["https://ollama.example", "https://ollama.example"],
    ["[::]:5000", "http://127.0.0.1:5000"],
  ])("are asked where OLLAMA_HOST=%s says", async (host, origin) => {
    const { probe } = machine({ [`${origin}/api/version`]: { version: "1" } });
    expect((await find({ OLLAMA_HOST: host }, probe))[0]?.[2]).toEqual({ baseUrl: `${origin}/v1` });
  });

  it("are not asked for where OLLAMA_HOST makes no sense", async () => {
    const { probe, asked } = machine({});
    expect(await find({ OLLAMA_HOST: "ftp://x" }, probe)).toEqual([]);
    expect(asked.some((url) => url.includes("/api/version"))).toBe(false);
  });
});

describe("prices", () => {
  it("of what stands in for a vendor, under its name, are the vendor's", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-prices-"));
    const config = { providers: { openai: { kind: "local", models: ["gpt-5-mini"] } }, discover: false };
    writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify(config));
    const { engine } = await openEngine(fakeTerminal({ folder }), undefined);
    const ask = (model: string) => engine.chat({ model, messages: [{ role: "user", content: "Hi" }] });
    expect((await ask("openai/gpt-5-mini")).usage?.cost?.total_cost).toBeGreaterThan(0);
    await expect(ask("openai/gpt-9")).rejects.toMatchObject({ upstream: { status: 404 } });
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  it("of a second account are those of its vendor, of the echo nothing", async () => {
    const message = { role: "assistant", content: "Hi" };
    const usage = { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 };
    const vendor = await startUpstream((_seen, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ id: "1", model: "gpt-4o", choices: [{ index: 0, finish_reason: "stop", message }], usage }),
      );
    });
    const folder = mkdtempSync(join(tmpdir(), "tollgate-prices-"));
    const second = { kind: "openai", apiKey: "sk-0123456789abcdef", baseUrl: `${vendor.url}/v1` };
    const lab = { baseUrl: `${vendor.url}/v1` };
    writeFileSync(
      join(folder, "tollgate.config.json"),
      JSON.stringify({ discover: false, providers: { second, lab } }),
    );
    const { engine } = await openEngine(fakeTerminal({ folder }), undefined);
    const costOf = async (model: string) => {
      const { usage: told } = await engine.chat({ model, messages: [{ role: "user", content: "Hi" }] });
      return told?.cost?.total_cost;
    };
    expect(await costOf("second/gpt-4o")).toBeGreaterThan(0);
    expect(await costOf("lab/gpt-4o")).toBeUndefined();
    expect(await costOf("local/echo")).toBe(0);
    await engine.close();
    await vendor.close();
    rmSync(folder, { recursive: true });
  });
});

describe("everything together", () => {
  const gatherIn = (env: Environment) => gather({ env, folder: "/nowhere", file: undefined, probe: silent });

  it("has every provider ready, with what the table shows of it", async () => {
    const { sources, secrets } = await gatherIn({
      AZURE_OPENAI_API_KEY: "0123456789abcdefWXYZ",
      AZURE_OPENAI_ENDPOINT: "https://me.openai.azure.com/?api-key=hidden",
      XAI_API_KEY: "short",
    });
    expect(sources.map(({ provider: { name }, address, keyEnd }) => [name, address, keyEnd])).toEqual([
      ["xai", "https://api.x.ai/v1", undefined],
      ["azure", "https://me.openai.azure.com", "WXYZ"],
      ["local", undefined, undefined],
    ]);
    expect(secrets).toEqual(["0123456789abcdefWXYZ"]);
  });

  it("never shows a key, but for its last four characters", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(..."abcdef0123456789"), minLength: 1, maxLength: 40 }),
        async (key) => {
          const { sources } = await gatherIn({
            OPENAI_API_KEY: `sk-${key}`,
            OPENAI_BASE_URL: `https://a.example/v1?key=sk-${key}`,
          });
          const { provider: _provider, secrets: _secrets, ...shown } = sources[0]!;
          expect(JSON.stringify(shown)).not.toContain(`sk-${key}`);
          expect((shown.keyEnd ?? "").length).toBeLessThanOrEqual(4);
          if (key.length < 13) expect(shown.keyEnd).toBeUndefined();
        },
      ),
    ));
});
