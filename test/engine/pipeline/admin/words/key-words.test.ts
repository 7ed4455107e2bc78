import { expect, it } from "vitest";
import { local } from "../../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { createEngine } from "../../../../../src/index.ts";

function keys() {
  return createEngine({ providers: [local()], store: memoryStore() }).keys;
}

it("a key in the command line's words is the one in records' fields", async () => {
  const { key } = await keys().create({
    name: "ci",
    allow: ["openai/*", "openai/gpt-5", "gpt-4o"],
    budget: ["10/1M", "$0.5/d"],
    requests: "60/1m",
    tokens: "100000/h",
    hard: true,
  });
  expect(key.provider_configs).toMatchObject([
    { provider: "openai", allowed_models: ["*", "openai/gpt-5"] },
    { provider: "*", allowed_models: ["gpt-4o"] },
  ]);
  expect(key.budgets).toMatchObject([
    { max_limit: 10, reset_duration: "1M", enforcement: "hard" },
    { max_limit: 0.5, reset_duration: "1d", enforcement: "hard" },
  ]);
  expect(key.rate_limits).toMatchObject([
    { request_max_limit: 60, request_reset_duration: "1m" },
    { token_max_limit: 100_000, token_reset_duration: "1h" },
  ]);
});

it.each([
  ["budget", { budget: "10" }],
  ["budget", { budget: "10/2M" }],
  ["budget", { budget: "1/1d", budgets: [] }],
  ["requests", { requests: "1.5/1m" }],
  ["tokens", { tokens: 5 }],
  ["allow.1", { allow: ["openai/*", "/x"] }],
  ["allow", { allow: "openai/*" }],
  ["allow", { allow: ["*"], provider_configs: [] }],
  ["hard", { hard: true }],
  ["hard", { hard: "yes", budget: "1/1d" }],
])("refuses a bad `%s` by its name", async (param, words) => {
  await expect(keys().create({ name: "ci", ...(words as object) } as never)).rejects.toMatchObject({
    code: "invalid_request",
    param,
  });
});
