import { expect, it } from "vitest";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import { createEngine, defineProvider } from "../../../../../src/index.ts";

const broken = defineProvider({
  name: "broken",
  embed: () => Promise.reject(new GatewayError("invalid_request", "Too long.", { param: "input" })),
});
const vectors = defineProvider({
  name: "vectors",
  async embed({ input }, { model }) {
    const texts = Array.isArray(input) ? input : [input];
    return { object: "list", model, data: texts.map((_, index) => ({ index, object: "embedding", embedding: [1] })) };
  },
});
const down = defineProvider({
  name: "down",
  embed: () => Promise.reject(new GatewayError("upstream_unreachable", "Gone.")),
});

function embed(body: object): Promise<Response> {
  return createEngine({ providers: [broken, down, vectors], retry: { retries: 0 } }).fetch(
    "http://engine/cohere/v2/embed",
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input_type: "search_query", ...body }),
    },
  );
}

it("the models to fall back to are asked", async () => {
  const response = await embed({ model: "down/m", texts: ["a"], fallbacks: ["vectors/m"] });
  expect([response.status, await response.json()]).toMatchObject([200, { embeddings: { float: [[1]] } }]);
});

it.each([
  ["texts", { texts: ["a"] }],
  ["inputs", { inputs: [{ content: [{ type: "text", text: "a" }] }] }],
])("what is wrong with the input is told of the field that held it: %s", async (field, body) => {
  const response = await embed({ model: "broken/m", ...body });
  expect([response.status, await response.json()]).toMatchObject([400, { param: field }]);
});
