import { describe, expect, it } from "vitest";
import type { EmbeddingRequest } from "../../../../src/engine/api/embeddings.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { engineOver } from "../../support/support.ts";

/** A provider whose vectors have so many numbers; what it is asked is kept. */
function embedder(name: string, length: number, asked: EmbeddingRequest[] = []): Provider {
  return {
    name,
    async embed(request, { model }) {
      asked.push(request);
      const inputs = typeof request.input === "string" ? [request.input] : request.input;
      const one = Array.from({ length }, () => 0.5);
      const embedding =
        request.encoding_format === "base64" ? Buffer.from(new Float32Array(one).buffer).toString("base64") : one;
      return { object: "list", model, data: inputs.map((_, index) => ({ object: "embedding", index, embedding })) };
    },
  };
}

const down: Provider = {
  name: "down",
  embed: async () => {
    throw new GatewayError("upstream_unreachable", "Gone.");
  },
};

describe("a fallback of embeddings", () => {
  const engine = () => engineOver([down, embedder("b", 3), embedder("c", 3)], { retry: { retries: 0 } }).engine;

  it("is no other model, unless the request allows it", async () => {
    const request = { model: "down/text-embedding-3-small", input: "a", fallbacks: ["b/bge-m3"] };
    await expect(engine().embed(request)).rejects.toMatchObject({ code: "upstream_unreachable" });
    const answer = await engine().embed({ ...request, allow_other_model: true });
    expect(answer.extra_fields?.provider).toBe("b");
  });

  it.each(["b/bge-m3", "b/", "b/BAAI/bge-m3", "c/@cf/baai/bge-m3"])(
    "is the same model elsewhere: %s",
    async (fallback) => {
      const answer = await engine().embed({ model: "down/bge-m3", input: "a", fallbacks: [fallback] });
      expect(answer.data[0]?.embedding).toHaveLength(3);
    },
  );
});

describe("vectors of another length than was asked for", () => {
  it.each(["float", "base64"] as const)("fail the attempt, in %s", async (encoding_format) => {
    const { engine } = engineOver([embedder("a", 3), embedder("b", 2)], { retry: { retries: 0 } });
    const request = { model: "a/bge-m3", input: "x", dimensions: 2, encoding_format };
    await expect(engine.embed(request)).rejects.toMatchObject({ code: "upstream_invalid_response" });
    const answer = await engine.embed({ ...request, fallbacks: ["b/bge-m3"] });
    expect(answer.extra_fields?.provider).toBe("b");
  });
});

describe("an empty text", () => {
  it("is said, or refused", async () => {
    const { engine } = engineOver([embedder("a", 3)]);
    const answer = await engine.embed({ model: "a/m", input: ["x", " "] });
    expect(answer.extra_fields?.warnings).toContain("`input.1`: is empty, and its vector says nothing");
    const refused = engine.embed({ model: "a/m", input: ["x", " "], truncate: "none" });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "input.1" });
  });
});

it("a text that is longer than what the model is known to read is said with its count", async () => {
  const known = { provider: "a", model: "m", max_input_tokens: 4 };
  const prices = { version: "1", find: () => known, list: () => [known] };
  const asked: EmbeddingRequest[] = [];
  const { engine } = engineOver([embedder("a", 3, asked)], {
    prices,
    tokens: { countText: (text: string) => text.split(" ").length, countChat: () => 1 },
  });
  const answer = await engine.embed({
    model: "a/m",
    input: ["one two three four five", "a b"],
    allow_other_model: true,
  });
  expect(answer.extra_fields?.warnings).toContain("`input.0`: has about 5 tokens, of which a/m reads the first 4");
  expect(asked[0]).not.toHaveProperty("allow_other_model");
  expect(answer.data).toHaveLength(2);
});
