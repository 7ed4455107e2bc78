/** A model's name in its two parts; `model` may itself hold slashes (`openrouter/meta-llama/llama-4`). */
export interface ModelName {
  readonly provider: string;
  /** The provider's own name for the model. */
  readonly model: string;
}

/** Reads `provider/model`: the part before the first slash names the provider. `undefined` when either part is missing. */
export function parseModelName(name: string): ModelName | undefined {
  const slash = name.indexOf("/");
  if (slash < 1 || slash === name.length - 1) return undefined;
  const provider = name.slice(0, slash);
  const model = name.slice(slash + 1);
  if (provider.trim() !== provider || model.trim() !== model) return undefined;
  return { provider, model };
}

/** Whether a name is that of a model without a provider, which a virtual key may complete. */
export function isBareModel(name: string): boolean {
  return name !== "" && !name.includes("/") && name.trim() === name;
}

/** Writes the two parts as one name. */
export function formatModelName({ provider, model }: ModelName): string {
  return `${provider}/${model}`;
}

/**
 * Reads an entry of `fallbacks`: `provider/model`, or `provider/` and a bare `provider`, which keep the asked model's name
 * (inference-resolved.md, 6.1).
 */
export function parseFallback(entry: string, askedModel: string): ModelName | undefined {
  const provider = entry.endsWith("/") ? entry.slice(0, -1) : entry;
  if (provider !== "" && !provider.includes("/") && provider.trim() === provider)
    return { provider, model: askedModel };
  return parseModelName(entry);
}
