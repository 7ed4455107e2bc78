import { azure } from "./azure.ts";
import { hostedRows } from "./hosted.ts";
import { openModelRows } from "./open-models.ts";
import { retrievalRows } from "./retrieval.ts";
import { routerRows } from "./routers.ts";
import type { CompatibleRow } from "./row.ts";
import { selfHostedRows } from "./self-hosted.ts";

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
