import { at, flag, notInteger, type Rows } from "./row.ts";

/** The fields of the embeddings, rerank and models tables. */
export const embedRows: Rows = {
  input: {
    valid: ["x", ["a", "b"], [1, 2], [[1], [2, 3]]],
    invalid: [1, {}, undefined, at([true], "input.0"), at([1.5], "input.0")],
  },
  fallbacks: { valid: [["a/b"]], invalid: ["a/b"] },
  encoding_format: { valid: ["float", "base64"], invalid: ["hex", 1] },
  dimensions: { valid: [1, 3072], invalid: [0, ...notInteger] },
};

export const rerankRows: Rows = {
  query: { valid: ["x"], invalid: ["", 1, undefined] },
  documents: {
    valid: [[{ text: "x" }], [{ text: "x", id: "1", meta: { a: 1 } }]],
    invalid: [
      [],
      "x",
      undefined,
      at([{}], "documents.0.text"),
      at([{ text: "" }], "documents.0.text"),
      at([5], "documents.0"),
    ],
  },
  fallbacks: { valid: [[]], invalid: [1] },
  top_n: { valid: [1, 10], invalid: [0, -1, ...notInteger] },
  max_tokens_per_doc: { valid: [1], invalid: [0, ...notInteger] },
  priority: { valid: [0, -5, 7], invalid: notInteger },
  return_documents: flag,
};

export const modelsRows: Rows = {
  page_size: { valid: [0, 1, "25"], invalid: [-1, "x", 1.5] },
  page_token: { valid: ["abc"], invalid: [1] },
  provider: { valid: ["openai"], invalid: [1] },
};
