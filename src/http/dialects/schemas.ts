import * as anthropic from "./anthropic/schema.ts";
import * as cohere from "./cohere/schema.ts";
import * as genai from "./genai/schema.ts";
import * as mcp from "./mcp/schema.ts";
import * as openai from "./openai/schema.ts";
import * as responses from "./responses/schema.ts";
import * as systemone from "./systemone/schema.ts";

const vendors: readonly Readonly<Record<string, unknown>>[] = [
  ...[openai, responses, anthropic, genai, cohere],
  ...[systemone, mcp],
];

/** The schemas that these operations refer to; no two vendors share a name. */
export const dialectSchemas: Readonly<Record<string, unknown>> = Object.assign({}, ...vendors);
