import { describe, expect, it } from "vitest";
import { embedAll } from "../../../../adapters/shared/embeddings/embed.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../../src/engine/api/embeddings.ts";
import { failureOf, recordedCall } from "../../../fixtures/native.ts";

const answer = (indices: readonly number[], embedding: EmbeddingResponse["data"][number]["embedding"] = [1]) => ({
  object: "list",
  model: "m",
  data: indices.map((index) => ({ object: "embedding", index, embedding })),
});
const embed = (request: Partial<EmbeddingRequest>, told: EmbeddingResponse) =>
  embedAll({ model: "acme/m", input: "a", ...request }, recordedCall("m"), {
    provider: "acme",
    ask: async () => told,
  });

describe("vectors", () => {
  it.each([
    ["too few", [0]],
    ["too many", [0, 1, 2]],
    ["two of one place", [0, 0]],
    ["one of nobody's place", [0, 2]],
  ])("of which there are %s are no answer", async (_title, indices) => {
    const failed = await failureOf(embed({ input: ["a", "b"] }, answer(indices)));
    expect(failed).toMatchObject({ code: "upstream_invalid_response", provider: "acme" });
  });

  it("of several rows stay numbers, also where base64 was asked for", async () => {
    const rows = [
      [1, 2],
      [3, 4],
    ];
    const told = await embed({ encoding_format: "base64" }, answer([0], rows));
    expect(told.data[0]?.embedding).toEqual(rows);
  });

  it("need something to be the vectors of", async () => {
    const failed = await failureOf(embed({ input: [] }, answer([])));
    expect(failed).toMatchObject({ code: "invalid_request", param: "input" });
  });

  it("of a list of tokens are one", async () => {
    expect((await embed({ input: [1, 2, 3] }, answer([0]))).data).toHaveLength(1);
  });
});
