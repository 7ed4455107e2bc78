import type { Table } from "../operations/define.ts";
import { rows as anthropic } from "./families/anthropic/rows.ts";
import { rows as cohere } from "./families/cohere/rows.ts";
import { rows as genai } from "./families/genai/rows.ts";
import { rows as mcp } from "./families/mcp/rows.ts";
import { rows as openai } from "./families/openai/rows.ts";
import { rows as responses } from "./families/responses/rows.ts";

/** The rows of all families, with their schemas: what the document says of them. */
export const familyRows: Table = { ...openai, ...responses, ...anthropic, ...genai, ...cohere, ...mcp };
