import type { OperationTable } from "../../operations/define.ts";
import { rows as anthropic } from "./anthropic/rows.ts";
import { rows as cohere } from "./cohere/rows.ts";
import { rows as genai } from "./genai/rows.ts";
import { rows as mcp } from "./mcp/rows.ts";
import { rows as openai } from "./openai/rows.ts";
import { rows as responses } from "./responses/rows.ts";
import { rows as systemone } from "./systemone/rows.ts";

/** The operations of all vendors' interfaces with their schemas, for the OpenAPI document. */
export const dialectRows: OperationTable = {
  ...openai,
  ...responses,
  ...anthropic,
  ...genai,
  ...cohere,
  ...systemone,
  ...mcp,
};
