import { describe, expect, it } from "vitest";
import { compatibleProviders } from "../../../../../adapters/providers/compatible/rows.ts";
import type { CompatibilityProfile } from "../../../../../adapters/shared/openai-compatible/compatibility-profile.ts";
import { embeddingToWire } from "../../../../../adapters/shared/openai-compatible/embeddings.ts";
import { frozen } from "../../../../../src/testing/conformance/provider/play.ts";

describe("an embedding request in OpenAI's dialect", () => {
  const writeEmbedding = (fields: object, embeddings: CompatibilityProfile["embeddings"] = {}) => {
    const warnings: string[] = [];
    const to = {
      provider: "acme",
      dialect: embeddings,
      warn: (text: string) => void warnings.push(text),
    };
    const request = frozen({ model: "acme/m", input: "a", fallbacks: ["b/m"], ...fields });
    return { body: embeddingToWire(request, "m", to), warnings };
  };

  it("is renamed, bereft and supplied as the row says", () => {
    const rules = {
      renamed: { dimensions: "output_dimension" },
      unsupported: ["user"],
      lacksBase64: true,
      demanded: { input_type: "query" },
    };
    expect(writeEmbedding({ dimensions: 3, encoding_format: "float", user: "u", x: 1 }, rules)).toEqual({
      body: { model: "m", input: "a", output_dimension: 3, x: 1, input_type: "query" },
      warnings: ["`user` is not supported by acme", '`input_type` is "query" unless given, since acme demands one'],
    });
    expect(writeEmbedding({ input_type: "passage" }, rules)).toEqual({
      body: { model: "m", input: "a", input_type: "passage" },
      warnings: [],
    });
  });

  it("says what texts are for in the vendor's own word and place", () => {
    const rules = { renamed: { input_type: "task" }, inputTypes: { query: "q", document: "d" } };
    const written = (input_type: unknown) => writeEmbedding({ input_type }, rules);
    for (const word of ["query", "search_query"]) expect(written(word).body.task).toBe("q");
    for (const word of ["document", "passage", "search_document"]) expect(written(word).body.task).toBe("d");
    expect(written("of its own")).toEqual({ body: { model: "m", input: "a", task: "of its own" }, warnings: [] });
    expect(written("clustering")).toEqual({
      body: { model: "m", input: "a" },
      warnings: ['`input_type` "clustering" is not supported by acme'],
    });
  });
});

describe("what texts are for, in the rows", () => {
  it.each([
    ["voyage", { input_type: "query" }],
    ["jina", { task: "retrieval.query" }],
    ["nvidia", { input_type: "query" }],
    ["mistral", {}], // refuses fields that it does not know
  ] as const)("%s", (name, expected) => {
    const { embeddings = {} } = compatibleProviders[name].dialect;
    const warnings: string[] = [];
    const to = { provider: name, dialect: embeddings, warn: (text: string) => void warnings.push(text) };
    const body = embeddingToWire({ model: "x/m", input: "a", input_type: "search_query" }, "m", to);
    expect(body).toEqual({ model: "m", input: "a", ...expected });
    expect(warnings).toEqual("mistral" === name ? ["`input_type` is not supported by mistral"] : []);
  });
});
