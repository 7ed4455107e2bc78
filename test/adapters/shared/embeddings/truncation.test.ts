import { describe, expect, it } from "vitest";
import { embedTexts as embedWithBedrock } from "../../../../adapters/providers/bedrock/embeddings.ts";
import { compatibleProviders } from "../../../../adapters/providers/compatible/rows.ts";
import { embedTexts as embedWithVertex } from "../../../../adapters/providers/vertex/embeddings.ts";
import { embeddingToWire } from "../../../../adapters/shared/openai-compatible/embeddings.ts";
import { rerankToWire } from "../../../../adapters/shared/openai-compatible/rerank/dialect.ts";
import { call } from "../../support/local/asking.ts";

type Row = "voyage" | "jina" | "tei" | "mistral";

/** What a vendor is sent, and what is warned of. */
function written(name: Row, verb: "embed" | "rerank", truncate: string | undefined) {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const { dialect } = compatibleProviders[name] as { dialect: { embeddings?: object; rerank?: { path: string } } };
  const { embeddings = {}, rerank = { path: "/rerank" } } = dialect;
  const body =
    verb === "embed"
      ? embeddingToWire({ model: "x/m", input: "a", truncate }, "m", { provider: name, dialect: embeddings, warn })
      : rerankToWire({ model: "x/m", query: "q", documents: [{ text: "a" }], truncate }, "m", {
          ...{ provider: name, dialect: rerank, warn },
        });
  const { truncate: own, truncation } = body;
  return { own, truncation, warnings };
}

describe("`truncate` in the words of vendors", () => {
  it.each([
    ["voyage", "embed", "none", { truncation: false }],
    ["voyage", "embed", "end", { truncation: true }],
    ["voyage", "rerank", "none", { truncation: false }],
    ["voyage", "rerank", "end", { truncation: true }],
    ["jina", "embed", "none", { own: false }],
    ["tei", "rerank", "end", { own: true }],
    ["tei", "rerank", "none", { own: false }],
    ["voyage", "embed", "left", { own: "left" }],
    ["voyage", "rerank", undefined, {}],
  ] as const)("%s %s %s", (...[name, verb, truncate, expected]) => {
    expect(written(name, verb, truncate)).toEqual({ warnings: [], ...expected });
  });

  it("is named in a warning where a vendor has no such choice", () => {
    for (const verb of ["embed", "rerank"] as const)
      expect(written("mistral", verb, "none").warnings).toEqual(["`truncate` is not supported by mistral"]);
  });

  it("Bedrock's Cohere models have it in capitals", async () => {
    const bodies: unknown[] = [];
    const invoke = async (body: unknown) => {
      bodies.push(body);
      return { embeddings: { float: [[1, 2]] } };
    };
    const request = { model: "bedrock/cohere.embed-v4:0", input: "a", truncate: "none", input_type: "query" };
    await embedWithBedrock(request, call({ model: "cohere.embed-v4:0" }), { provider: "bedrock", invoke });
    expect(bodies).toMatchObject([{ truncate: "NONE" }]);
  });

  it("Vertex has `autoTruncate`, and its answer says which texts were cut off", async () => {
    const bodies: { readonly parameters?: object }[] = [];
    const predict = async (body: unknown) => {
      bodies.push(body as object);
      const statistics = (truncated: boolean) => ({ truncated, token_count: 2_048 });
      return {
        predictions: [false, true].map((each) => ({ embeddings: { values: [1], statistics: statistics(each) } })),
      };
    };
    const asked = call({ model: "text-embedding-005" });
    const embed = (more: object) =>
      embedWithVertex({ model: "vertex/text-embedding-005", input: ["a", "b"], ...more }, asked, {
        ...{ provider: "vertex", predict },
      });
    await embed({ truncate: "none" });
    await embed({ truncate: "end", dimensions: 1 });
    await embed({});
    expect(bodies.map(({ parameters }) => parameters)).toEqual([
      { autoTruncate: false },
      { autoTruncate: true, outputDimensionality: 1 },
      undefined,
    ]);
    expect(new Set(asked.warnings)).toEqual(
      new Set(["`input.1` is cut off: vertex/text-embedding-005 read 2048 tokens of it"]),
    );
  });
});
