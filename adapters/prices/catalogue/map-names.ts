/** Where the provider's name in common price maps is not ours. */
const providerNames: Readonly<Record<string, string>> = {
  azure_ai: "azure",
  azure_text: "azure",
  bedrock_converse: "bedrock",
  bedrock_mantle: "bedrock",
  codestral: "mistral",
  cohere_chat: "cohere",
  dashscope: "alibaba",
  fireworks_ai: "fireworks",
  jina_ai: "jina",
  nvidia_nim: "nvidia",
  "text-completion-codestral": "mistral",
  "text-completion-openai": "openai",
  together_ai: "together",
};

function ourProvider(theirs: string): string {
  // `vertex_ai-anthropic_models`, `vertex_ai-language-models`, …
  if (theirs.startsWith("vertex_ai")) return "vertex";
  return providerNames[theirs] ?? theirs;
}

/** Our provider and the vendor's own name of a model, from its name and `litellm_provider` in a common price map. */
export function readMapName(model: string, theirs: string): { provider: string; name: string } {
  const provider = ourProvider(theirs);
  const slash = model.indexOf("/");
  const isPrefixed = slash > 0 && ourProvider(model.slice(0, slash)) === provider;
  return { provider, name: isPrefixed ? model.slice(slash + 1) : model };
}
