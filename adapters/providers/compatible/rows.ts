import { hostedRows } from "./hosted.ts";
import { openModelRows } from "./open-models.ts";
import { retrievalRows } from "./retrieval.ts";
import { routerRows } from "./routers.ts";
import type { CompatibleRow } from "./row.ts";
import { selfHostedRows } from "./self-hosted.ts";

/** Azure OpenAI: OpenAI's models behind an interface of one's own resource. */
const azure = {
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

/** Vendors of OpenAI's dialect by provider name; a new one is a new row. */
export const compatibleProviders: Readonly<Record<CompatibleName, CompatibleRow>> = {
  ...hostedRows,
  ...openModelRows,
  ...routerRows,
  azure,
  ...selfHostedRows,
  ...retrievalRows,
};

/** The name of a row of {@link compatibleProviders}. */
export type CompatibleName =
  | keyof typeof hostedRows
  | keyof typeof openModelRows
  | keyof typeof routerRows
  | "azure"
  | keyof typeof selfHostedRows
  | keyof typeof retrievalRows;
