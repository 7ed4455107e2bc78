import type { CompatibleRow } from "./row.ts";

/** Azure OpenAI: OpenAI's models behind an interface of one's own resource. */
export const azure = {
  title: "Azure OpenAI",
  docs: "learn.microsoft.com, Azure OpenAI v1 API",
  basePath: "/openai/v1",
  env: "AZURE_OPENAI_API_KEY",
  urlEnv: "AZURE_OPENAI_ENDPOINT",
  needsKey: true,
  keyHeader: "api-key",
  responses: "auto",
  embeds: true,
  models: "/models",
  dialect: {
    unsupported: ["truncation", "web_search_options", "top_k"],
    hasTextTools: true,
    takesCustomTools: true,
    form: "openai",
    streamOptions: "all",
    reasoning: "effort",
    history: "dropped",
    embeddings: { unsupported: ["input_type"], limits: { inputs: 2048, tokens: 300_000 } },
  },
} as const satisfies CompatibleRow;
