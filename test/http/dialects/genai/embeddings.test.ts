import { expect, it } from "vitest";
import { createEngine, defineProvider } from "../../../../src/index.ts";

const asked: unknown[] = [];
const vectors = defineProvider({
  name: "vectors",
  async embed({ input, input_type }, { model }) {
    asked.push(input_type);
    const texts = Array.isArray(input) ? input : [input];
    const data = texts.map((_, index) => ({ index, object: "embedding", embedding: [1] }));
    return { object: "list", model, data, usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 } };
  },
});

async function batch(...taskTypes: (string | undefined)[]): Promise<Response> {
  const { fetch } = createEngine({ providers: [vectors] });
  const requests = taskTypes.map((taskType) => ({ content: { parts: [{ text: "a" }] }, taskType }));
  return fetch("http://engine/genai/v1beta/models/vectors/m:batchEmbedContents", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ requests }),
  });
}

it.each([
  ["RETRIEVAL_QUERY", "search_query"],
  ["RETRIEVAL_DOCUMENT", "search_document"],
  ["CLUSTERING", "clustering"],
  ["SEMANTIC_SIMILARITY", "SEMANTIC_SIMILARITY"],
  ["TASK_TYPE_UNSPECIFIED", undefined],
  [undefined, undefined],
])("Gemini's type of task decides the vectors, and goes on: %s", async (taskType, inputType) => {
  const response = await batch(taskType, taskType);
  expect(response.headers.get("x-tg-warnings") ?? "").not.toContain("taskType");
  expect([response.status, asked.at(-1)]).toEqual([200, inputType]);
});

it("two types of task in one batch are refused by name", async () => {
  const response = await batch("CLUSTERING", "RETRIEVAL_QUERY");
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("requests.1.taskType");
});

it("the answer says how many tokens it took", async () => {
  const answer = await (await batch("CLUSTERING")).json();
  expect(answer).toEqual({
    embeddings: [{ values: [1] }],
    usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
  });
});
