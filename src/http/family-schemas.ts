import * as anthropic from "./families/anthropic/schema.ts";
import * as cohere from "./families/cohere/schema.ts";
import * as genai from "./families/genai/schema.ts";
import * as mcp from "./families/mcp/schema.ts";
import * as openai from "./families/openai/schema.ts";
import * as responses from "./families/responses/schema.ts";

const families: readonly Readonly<Record<string, unknown>>[] = [openai, responses, anthropic, genai, cohere, mcp];

/** The schemas that the rows of all families refer to; no name is in two of them. */
export const familySchemas: Readonly<Record<string, unknown>> = Object.assign({}, ...families);
