import type { ChatRequest } from "../../../../engine/api/chat.ts";
import { schemaFormat } from "../../shared/strict.ts";
import { type Notes, warnUnsupportedFields } from "../../shared/translation-warnings.ts";
import type { GenaiConfig } from "../schema.ts";
import { toJsonSchema } from "./json-schema.ts";

/** The type of an answer that is one value of an enum, without quotation marks. */
export const enumType = "text/x.enum";

/** The form that the answer is to have: text, JSON, or JSON by either kind of schema. */
export function readFormat(parsed: GenaiConfig, notes: Notes): Pick<ChatRequest, "response_format"> {
  const { responseMimeType: mimeType = "text/plain", responseSchema, responseJsonSchema } = parsed;
  const schema = responseJsonSchema ?? (responseSchema === undefined ? undefined : toJsonSchema(responseSchema));
  if (schema !== undefined) return { response_format: schemaFormat(schema) };
  if (mimeType === "application/json") return { response_format: { type: "json_object" } };
  if (mimeType !== "text/plain") warnUnsupportedFields(notes, "generationConfig.responseMimeType");
  return {};
}
