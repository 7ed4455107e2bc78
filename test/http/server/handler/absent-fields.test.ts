import { expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import { createEngine } from "../../../../src/index.ts";

const { fetch } = createEngine({ providers: [local()] });

it.each([
  ["strings", ["a cat", "a dog"], 200],
  ["objects whose optional fields are null", [{ text: "a cat", id: null, meta: null }, { text: "a dog" }], 200],
  ["both", ["a cat", { text: "a dog", id: "d" }], 200],
  ["an empty string", ["a cat", ""], 400],
] as const)("documents may be %s", async (...[, documents, status]) => {
  for (const model of ["local/bm25", "local/hybrid", "local/minilm-l6-v2"]) {
    const body = JSON.stringify({ model, query: "cat", documents });
    const headers = { "content-type": "application/json" };
    const response = await fetch("http://engine/v1/rerank", { method: "POST", headers, body });
    const answer = (await response.json()) as { results?: { index: number }[]; error?: { param: string } };
    expect(response.status, JSON.stringify(answer)).toBe(status);
    if (status === 200) expect(answer.results?.map(({ index }) => index).slice(0, 1)).toEqual([0]);
    else expect(answer.error?.param).toMatch(/^documents/);
  }
});

it("a question for a decision may have a name that is null", async () => {
  const body = JSON.stringify({ model: "local/echo", input: "x", questions: [{ type: "predicate", name: null }] });
  const headers = { "content-type": "application/json" };
  const response = await fetch("http://engine/v1/decisions", { method: "POST", headers, body });
  expect(response.status).toBe(200);
});
