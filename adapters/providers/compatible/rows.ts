import { azure } from "./azure.ts";
import { hostedRows } from "./hosted.ts";
import { retrievalRows } from "./retrieval.ts";
import type { CompatibleRow } from "./row.ts";
import { selfHostedRows } from "./self-hosted.ts";

/** Vendors of OpenAI's dialect by provider name; a new one is a new row. */
export const compatibleProviders: Readonly<Record<CompatibleName, CompatibleRow>> = {
  ...hostedRows,
  azure,
  ...selfHostedRows,
  ...retrievalRows,
};

/** The name of a row of {@link compatibleProviders}. */
export type CompatibleName =
  | "azure"
  | keyof typeof hostedRows
  | keyof typeof selfHostedRows
  | keyof typeof retrievalRows;
