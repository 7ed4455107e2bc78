import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tiktoken } from "../../../../adapters/tokens/tiktoken/index.ts";
import { boundText } from "../../../../src/engine/metering/prompt.ts";
import { boundChat, boundEmbedding, boundRerank } from "../../../../src/engine/metering/usage-bound.ts";
import { anyChat, anyText } from "./any-chat.ts";

const tokens = tiktoken();
const models = ["gpt-4o", "gpt-4"] as const;

describe("the bound by bytes", () => {
  it.each(models)("is never below the tokens of a text for %s", (model) => {
    fc.assert(
      fc.property(anyText, (text) => boundText(text) >= tokens.countText(text, model)),
      { numRuns: 500 },
    );
  });

  it.each(models)("is never below the prompt tokens of a chat for %s", (model) => {
    fc.assert(
      fc.property(anyChat, (chat) => boundChat(chat).prompt.soft >= tokens.countChat(chat, model)),
      { numRuns: 300 },
    );
  });

  it("is never below the tokens of texts to embed, and counts token arrays as they are", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (input) => {
        const counted = input.reduce((sum, text) => sum + tokens.countText(text, "text-embedding-3-small"), 0);
        return boundEmbedding({ model: "m", input }).prompt.hard >= counted;
      }),
    );
    expect(boundEmbedding({ model: "m", input: [1, 2, 3] }).prompt.hard).toBe(3);
    expect(boundEmbedding({ model: "m", input: [[1, 2, 3], [4]] }).prompt.hard).toBeGreaterThanOrEqual(4);
  });

  it("of a reranking counts the query with every document", () => {
    const documents = fc.array(fc.record({ text: fc.string({ minLength: 1 }) }), { minLength: 1, maxLength: 250 });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), documents, (query, all) => {
        const bound = boundRerank({ model: "m", query, documents: all });
        const counted = all.reduce((sum, { text }) => sum + boundText(query) + boundText(text), 0);
        return bound.prompt.hard >= counted && bound.queries >= Math.ceil(all.length / 100);
      }),
    );
  });
});
