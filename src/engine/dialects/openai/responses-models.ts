/** Which models OpenAI serves at `/responses` only, and when. */
interface ResponsesRule {
  readonly models: RegExp;
  /** `always`, with any `tools`, or with tools and an `effort` above none. */
  readonly when: "always" | "tools" | "effort";
}

/**
 * Read in November 2026 from platform.openai.com (model pages, "Endpoints", and the errors of `/chat/completions`). The first rule that
 * fits a model counts; a later version of a known family behaves like the latest that is listed.
 */
const rules: readonly ResponsesRule[] = [
  { models: /codex|deep-research|computer-use/, when: "always" },
  { models: /^(?:o\d+|gpt-\d+(?:\.\d+)?)-pro\b/, when: "always" },
  { models: /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)/, when: "tools" },
  { models: /^gpt-5\.[45]/, when: "effort" },
];

/** What decides between the two interfaces of a request. */
export interface RequestTraits {
  readonly hasTools: boolean;
  readonly hasEffort: boolean;
}

/** True for a request that the model takes at `/responses` only. */
export function needsResponses(model: string, { hasTools, hasEffort }: RequestTraits): boolean {
  const rule = rules.find(({ models }) => models.test(model));
  if (rule === undefined) return false;
  return rule.when === "always" || (hasTools && (rule.when === "tools" || hasEffort));
}

/** True for a model that reasons: only of those `reasoning.encrypted_content` may be asked for. */
export function isReasoningModel(model: string): boolean {
  return !/^(?:gpt-[34]|chatgpt|ft:gpt-[34])/.test(model);
}
