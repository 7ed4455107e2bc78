import { expect, it } from "vitest";
import type { Prices } from "../../../src/engine/ports/prices.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { engineOver } from "../support/support.ts";

const provider: Provider = {
  name: "a",
  rerank: async ({ documents }, { model }) => ({
    model,
    results: documents.map((_, index) => ({ index, relevance_score: 1 - index / 100 })),
  }),
};
const prices: Prices = {
  version: "t",
  list: () => [],
  find: (name, model) => ({ provider: name, model, max_input_tokens: 20 }),
};
const { engine } = engineOver([provider], { prices });
const long = "word ".repeat(40);
const rerank = (more: object) => engine.rerank({ model: "a/m", query: "word", documents: ["ok", long, " "], ...more });

it("says which documents a model does not read whole, with counts, and which are empty", async () => {
  const { extra_fields } = await rerank({});
  const warnings = (extra_fields?.warnings ?? []).filter((warning) => warning.startsWith("`documents"));
  expect(warnings).toEqual([
    expect.stringMatching(/^`documents\.1`: has about \d+ tokens, of which a\/m reads the first \d+$/),
    "`documents.2`: is empty, and its score says nothing",
  ]);
});

it("refuses them where the request says so, and none where it has a bound of its own", async () => {
  await expect(rerank({ truncate: "none" })).rejects.toMatchObject({ code: "invalid_request", param: "documents.1" });
  const documents = ["ok", long];
  const { extra_fields } = await rerank({ truncate: "none", max_tokens_per_doc: 5, documents });
  expect(extra_fields?.warnings ?? []).not.toContainEqual(expect.stringContaining("documents"));
});
