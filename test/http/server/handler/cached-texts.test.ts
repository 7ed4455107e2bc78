import { expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { inputsOf } from "../../../../src/engine/dialects/embedding-inputs.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../../src/index.ts";

const asked: unknown[] = [];
const provider: Provider = {
  name: "v",
  async embed({ input }, { model }) {
    const texts = inputsOf({ input });
    asked.push(...texts);
    const data = texts.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 0.5] }));
    return { object: "list", model, data };
  },
};
const { fetch } = createEngine({ providers: [provider], cache: { answers: memoryCache() } });

/** The vectors of a batch of texts in each interface that embeds. */
const interfaces: [path: string, bodyOf: (texts: string[]) => object, read: (answer: never) => unknown][] = [
  [
    "/v1/embeddings",
    (input) => ({ model: "v/m", input }),
    (answer: { data: { embedding: number[] }[] }) => answer.data.map(({ embedding }) => embedding),
  ],
  [
    "/openai/v1/embeddings",
    (input) => ({ model: "v/m", input }),
    (answer: { data: { embedding: number[] }[] }) => answer.data.map(({ embedding }) => embedding),
  ],
  [
    "/cohere/v2/embed",
    (texts) => ({ model: "v/m", texts, input_type: "search_query", embedding_types: ["float"] }),
    (answer: { embeddings: { float: number[][] } }) => answer.embeddings.float,
  ],
  [
    "/genai/v1beta/models/v%2Fm:batchEmbedContents",
    (texts) => ({ requests: texts.map((text) => ({ content: { parts: [{ text }] }, taskType: "RETRIEVAL_QUERY" })) }),
    (answer: { embeddings: { values: number[] }[] }) => answer.embeddings.map(({ values }) => values),
  ],
];

it("every interface shares the vectors of texts, and keeps those of other parameters apart", async () => {
  for (const [path, bodyOf, read] of interfaces) {
    const body = JSON.stringify(bodyOf([path, "shared", "shared"]));
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://engine${path}`, { method: "POST", headers, body });
    expect(response.status, path).toBe(200);
    expect(read((await response.json()) as never)).toEqual(
      [path, "shared", "shared"].map(({ length }) => [length, 0.5]),
    );
  }
  // Once without an input type, once as a search query.
  expect(asked.filter((text) => text === "shared")).toHaveLength(2);
  expect(asked).toHaveLength(interfaces.length + 2);
});
