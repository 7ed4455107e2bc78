import { findSimilar } from "../../runtime/did-you-mean.ts";

/** Fields that vendors document and many clients send: no misspelling. */
const vendorFields: ReadonlySet<string> = new Set(
  (
    "extra n max_tokens reasoning_effort thinking top_k top_a min_p typical_p min_tokens repetition_penalty length_penalty logit_bias " +
    "stop_token_ids ignore_eos best_of num_ctx keep_alive think enable_thinking thinking_budget chat_template_kwargs functions " +
    "function_call response_mime_type guided_json guided_regex guided_choice guided_grammar structured_outputs grammar json_schema " +
    "safe_prompt random_seed prompt_mode search_parameters search_domain_filter search_recency_filter return_images " +
    "return_related_questions enable_search transforms plugins provider route models include_reasoning reasoning_format audio " +
    "safety_settings cachedContent input_type task late_chunking embedding_types normalized user priority"
  ).split(" "),
);

/** At most so many fields are named: a request may have thousands. */
const mostNamed = 20;

/** Sentences on the fields of a request that are not among the documented ones and that no vendor is known to have. */
export function warnOfOthers(fields: object, input: unknown): readonly string[] {
  const known = Object.keys(fields);
  const others = Object.keys(input as object).filter((name) => !(name in fields) && !vendorFields.has(name));
  return others.slice(0, mostNamed).map((name) => {
    const similar = findSimilar(name, known);
    const hint = similar === undefined ? "what is new at a vendor goes into `extra`" : `did you mean \`${similar}\`?`;
    return `\`${name.slice(0, 64)}\` is no field of the request: ${hint}`;
  });
}
