/** LiteLLM's names of providers that tollgate calls otherwise. All others are looked for as they are. */
const renamed: Readonly<Record<string, string>> = {
  cohere_chat: "cohere",
  fireworks_ai: "fireworks",
  hosted_vllm: "vllm",
  jina_ai: "jina",
  litellm_proxy: "litellm",
  lm_studio: "lmstudio",
  nvidia_nim: "nvidia",
  ollama_chat: "ollama",
  together_ai: "together",
  vercel_ai_gateway: "vercel",
  vertex_ai: "vertex",
};

/** Vendors of models that are named without one. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-)/, "openai"],
  [/^claude-/, "anthropic"],
  [/^(command|rerank-)/, "cohere"],
];

/** Ways to call a vendor that LiteLLM writes in front of the model. */
const routes = /^(converse|invoke|responses)\//;

/** A model of LiteLLM's: the kind of its provider here, and its name there. */
export interface VendorModel {
  readonly kind: string;
  readonly model: string;
}

/** Reads `azure/my-deployment` or `gpt-5`; `undefined` where the vendor is unknown. `kinds` are those of tollgate. */
export function readVendorModel(name: string, kinds: Readonly<Record<string, unknown>>): VendorModel | undefined {
  const slash = name.indexOf("/");
  const prefix = slash < 0 ? families.find(([family]) => family.test(name))?.[1] : name.slice(0, slash);
  if (prefix === undefined) return undefined;
  const kind = (Object.hasOwn(renamed, prefix) ? renamed[prefix] : undefined) ?? prefix;
  const model = name.slice(slash + 1).replace(routes, "");
  return Object.hasOwn(kinds, kind) && model !== "" ? { kind, model } : undefined;
}
