import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import { failure, readText } from "../../cli/support/config-folder.ts";

describe("references to the environment", () => {
  it("stand for any setting", async () => {
    const env = { PORT: "81", HOST: "::1", MY_KEY: "sk-secret-0123456789", ORIGIN: "https://a.example" };
    const text =
      "server: { port: env:PORT, host: env:HOST, cors: [env:ORIGIN] }\nproviders: { openai: { apiKey: env:MY_KEY } }";
    const { config, secrets } = await readText(text, "a.yaml", env);
    expect(config.server).toEqual({ port: 81, host: "::1", cors: ["https://a.example"] });
    expect(secrets).toEqual(["sk-secret-0123456789"]);
  });

  it("of a configuration that holds itself end with an error", async () => {
    const error = await failure(readText("const a = {}; a.a = a; export default a;", "a.mjs"));
    expect(error.message).toBe("a.mjs: `a.a.a` is nested too deeply or contains itself.");
  });
});

describe("providers by name", () => {
  const env = { OPENAI_API_KEY: "sk-of-the-environment", GROQ_API_KEY: "gsk-of-the-environment" };
  const listed = async (text: string) =>
    (await readText(text, "a.yaml", env)).sources.map(({ name, from, keyEnd }) => [name, from, keyEnd]);

  it("outweigh what the environment says of them", async () => {
    expect(await listed("providers: { openai: { apiKey: sk-of-the-file-wxyz } }")).toEqual([
      ["openai", "a.yaml", "wxyz"],
      ["groq", "GROQ_API_KEY", "ment"],
      ["local", "built in", undefined],
    ]);
  });

  it("say by model which interface is asked, where the vendor has two", async () => {
    const upstream = "{ 'gpt-7*': responses, gpt-4o: chat }";
    expect(
      await listed(`providers: { openai: { apiKey: sk-of-the-file-wxyz, upstream: ${upstream} } }`),
    ).toContainEqual([...["openai", "a.yaml", "wxyz"]]);
    for (const [text, param] of [
      ["openai: { upstream: { gpt-7: other } }", "providers.openai.upstream"],
      ["openai: { upstream: { gpt-7: { efforts: {} } } }", "providers.openai.upstream"],
      ["groq: { upstream: chat }", "providers.groq.upstream"],
      [
        "anthropic: { apiKey: k-of-anthropic, modelRules: { 'claude-9*': { effort: {} } } }",
        "providers.anthropic.modelRules",
      ],
      [
        "groq: { modelRules: { m: { parameters: { seed: no-boolean } } } }",
        "providers.groq.modelRules.m.parameters.seed",
      ],
    ]) {
      expect(await failure(readText(`providers: { ${text} }`, "a.yaml", env))).toMatchObject({
        param: expect.stringContaining(param as string),
      });
    }
  });

  it("may be the same vendor twice", async () => {
    const text = "discover: false\nproviders: { openai: {}, second: { kind: openai, apiKey: sk-of-the-file-wxyz } }";
    expect(await listed(text)).toEqual([
      ["openai", "a.yaml", "ment"],
      ["second", "a.yaml", "wxyz"],
      ["local", "built in", undefined],
    ]);
  });

  it("say by a resource where Azure is, as well as by an address; then the environment's address does not count", async () => {
    const ofAzure = async (settings: string) => {
      const env = { AZURE_OPENAI_ENDPOINT: "https://other.example/openai/v1" };
      const text = `discover: false\nproviders: { azure: { apiKey: sk-of-the-file-wxyz, ${settings} } }`;
      const { sources } = await readText(text, "a.yaml", env);
      return sources.map(({ name, address }) => [name, address]);
    };
    expect(await ofAzure("resource: mine")).toEqual([
      ["azure", undefined],
      ["local", undefined],
    ]);
    expect(await ofAzure("")).toContainEqual(["azure", "https://other.example/openai/v1"]);
    expect((await failure(ofAzure("resource: 'no name'"))).param).toBe("providers.azure.resource");
  });

  it("are switched off one by one with `false`, all that are found with `discover: false`", async () => {
    expect(await listed("providers: { openai: false, local: false }")).toEqual([["groq", "GROQ_API_KEY", "ment"]]);
    expect(await listed("discover: false")).toEqual([["local", "built in", undefined]]);
  });
});

describe("providers as objects", () => {
  it("are taken as they are", async () => {
    const text = "export default { providers: [{ name: 'mine', chat: async () => ({}), note: 'env:NOPE' }] };";
    const { sources } = await readText(text, "a.mjs");
    expect(sources.map(({ name, from }) => [name, from])).toEqual([
      ["mine", "a.mjs"],
      ["local", "built in"],
    ]);
  });
});

describe("whatever a configuration holds", () => {
  const word = fc.constantFrom(
    "server",
    "port",
    "providers",
    "openai",
    "lab",
    "baseUrl",
    "apiKey",
    "env:A",
    "env:B",
    "kind",
    "retry",
    "groq",
    "headers",
    "http://a",
    "__proto__",
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(word, fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.oneof(word, fc.string()), tie("tree"), { maxKeys: 4 }),
    ),
  }));

  it("it is read, or refused with a GatewayError that says which file", () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(word, tree), async (config) => {
        const reading = readText(JSON.stringify(config), "any.json", { A: "a value of a variable" });
        const thrown = await reading.then(
          () => undefined,
          (error: unknown) => error,
        );
        if (thrown === undefined) return;
        expect(isGatewayError(thrown) && thrown.code).toBe("invalid_configuration");
        expect((thrown as GatewayError).message).toContain("any.json");
        expect((thrown as GatewayError).message).not.toContain("a value of a variable");
      }),
      { numRuns: 300 },
    ));
});
