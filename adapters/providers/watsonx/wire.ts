import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { readFault, type VendorFault } from "../../shared/http/fault.ts";

export type WatsonxFields = Readonly<Record<string, unknown>>;

/** Who pays: a project or a deployment space. */
export type WatsonxScope = { readonly project_id: string } | { readonly space_id: string };

/** The body of a chat in the vendor's words: the model and who pays, and a choice among tools that names none apart from one that does. */
export function chatBody(
  { model, stream: _form, tool_choice: choice, ...rest }: WatsonxFields,
  scope: WatsonxScope,
): WatsonxFields {
  const chosen = choice === undefined ? {} : { [isRecord(choice) ? "tool_choice" : "tool_choice_option"]: choice };
  return { model_id: model, ...scope, ...rest, ...chosen };
}

/** The body of a request for vectors. */
export function embeddingBody({ model, input, ...rest }: WatsonxFields, scope: WatsonxScope): WatsonxFields {
  return { model_id: model, ...scope, inputs: Array.isArray(input) ? input : [input], ...rest };
}

/** Vectors in OpenAI's form; what is none stays as it is, for the reader of the form to refuse. */
export function vectorsOf(raw: unknown): unknown {
  if (!isRecord(raw) || !Array.isArray(raw.results)) return raw;
  const { results, input_token_count: tokens, model_id: model } = raw;
  const data = results.filter(isRecord).map(({ embedding }, index) => ({ index, embedding }));
  return { data, model, ...(typeof tokens === "number" && { usage: { prompt_tokens: tokens, total_tokens: tokens } }) };
}

/** The list of models in OpenAI's form. */
export function modelsOf(raw: unknown): unknown {
  if (!isRecord(raw) || !Array.isArray(raw.resources)) return raw;
  const data = raw.resources.filter(isRecord).map((model) => {
    const { max_sequence_length, max_output_tokens } = isRecord(model.model_limits) ? model.model_limits : {};
    const { model_id: id, label: name, short_description: description, provider: owned_by } = model;
    return { id, name, description, owned_by, context_length: max_sequence_length, max_output_tokens };
  });
  return { data };
}

/** `{ "errors": [{ code, message }], "trace": … }`. */
export function readWatsonxFault(body: unknown): VendorFault | undefined {
  const [first] = isRecord(body) && Array.isArray(body.errors) ? body.errors : [];
  return isRecord(first) ? readFault({ error: first }) : readFault(body);
}
