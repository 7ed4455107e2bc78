import type { Usage } from "../../../src/engine/api/usage.ts";
import { readUsage } from "../../../src/engine/dialects/openai/usage.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

/** The usage of a response in our form; each search of the web that the vendor made is one of `num_search_queries`. */
export function readResponseUsage({ usage, output }: Record<string, unknown>): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details } = usage;
  const items = Array.isArray(output) ? output.filter(isRecord) : [];
  const searches = items.filter(({ type }) => type === "web_search_call").length;
  return readUsage({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    prompt_tokens_details: input_tokens_details,
    completion_tokens_details: output_tokens_details,
    ...(searches === 0 ? {} : { num_search_queries: searches }),
  });
}
