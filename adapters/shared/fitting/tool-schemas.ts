import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Tool } from "../../../src/engine/api/tools.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { bareReferences } from "./bare-references.ts";
import type { RewriteContext, Rewriter } from "./rewritten.ts";
import { plainObject } from "./top-alternatives.ts";
import type { VendorForm } from "./vendor-forms.ts";

/**
 * Sends schemas that a vendor refuses in a form that it takes: alternatives at the top of a tool's schema as one object, with a warning;
 * a reference next to other keywords as the only alternative of a schema with them, which says the same. Others go on as they are.
 */
export function toolSchemas(form: VendorForm): Rewriter {
  return (request, context) => {
    const tools = request.tools?.map((tool, at) => toolFor(tool, at, { ...context, form }));
    const format = formatFor(request.response_format, form);
    const isSame =
      format === request.response_format && (tools?.every((tool, at) => tool === request.tools?.[at]) ?? true);
    if (isSame) return undefined;
    const own: ChatRequest = { ...request, ...(tools && { tools }), ...(format && { response_format: format }) };
    return { request: own, answer: (answer) => answer, chunks: () => (chunk) => chunk };
  };
}

function toolFor(tool: Tool, at: number, context: RewriteContext & { readonly form: VendorForm }): Tool {
  const { form, provider, call } = context;
  const { function: declared } = tool;
  if (declared?.parameters === undefined) return tool;
  const plain = form.lacksTopAlternatives ? plainObject(declared.parameters) : declared.parameters;
  if (plain !== declared.parameters)
    call.warn(
      `\`tools.${at}.function.parameters\` is sent as one object: ${provider} takes no alternatives at its top`,
    );
  const parameters = standsAlone(form, declared.strict === true) ? bareReferences(plain) : plain;
  return parameters === declared.parameters ? tool : { ...tool, function: { ...declared, parameters } };
}

function formatFor(format: ChatRequest["response_format"], form: VendorForm): ChatRequest["response_format"] {
  if (format?.type !== "json_schema" || !isRecord(format.json_schema)) return format;
  const { schema, strict } = format.json_schema;
  if (!isRecord(schema) || !standsAlone(form, strict === true)) return format;
  const bare = bareReferences(schema);
  return bare === schema ? format : { ...format, json_schema: { ...format.json_schema, schema: bare } };
}

function standsAlone({ bareReferences: where }: VendorForm, isStrict: boolean): boolean {
  return where === "all" || (where === "strict" && isStrict);
}
