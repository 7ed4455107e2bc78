/** A model's name in its two parts; `model` may itself hold slashes (`openrouter/meta-llama/llama-4`). */
export interface ModelName {
  readonly provider: string;
  /** The provider's own name for the model. */
  readonly model: string;
}

/**
 * Reads `provider/model`: the part before the first slash names the provider. `undefined` when either part is missing, or when the
 * name could lead a vendor's path elsewhere: with an empty, `.` or `..` segment, a backslash or a control character.
 */
export function parseModelName(name: string): ModelName | undefined {
  const slash = name.indexOf("/");
  if (slash < 1 || slash === name.length - 1) return undefined;
  const provider = name.slice(0, slash);
  const model = name.slice(slash + 1);
  if (provider.trim() !== provider || model.trim() !== model || isMisleading(name)) return undefined;
  return { provider, model };
}

/** Whether a name is that of a model without a provider, which a virtual key may complete. */
export function isBareModel(name: string): boolean {
  return name !== "" && !name.includes("/") && name.trim() === name && !isMisleading(name);
}

/** A dot segment, also percent-encoded, an empty one before another, a backslash, or a control character. */
const misleading = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\/\/|.\/$|^\/.|[\\\p{Cc}]/isu;

/** True when a name could lead a vendor's path elsewhere. */
export function isMisleading(name: string): boolean {
  return misleading.test(name);
}

/** Splits what {@link formatModelName} wrote, without judging the parts; a text without a slash belongs to the provider `""`. */
export function splitModelName(text: string): ModelName {
  const slash = text.indexOf("/");
  return { provider: text.slice(0, Math.max(slash, 0)), model: text.slice(slash + 1) };
}

/** Writes the two parts as one name. */
export function formatModelName({ provider, model }: ModelName): string {
  return `${provider}/${model}`;
}

/**
 * Reads an entry of `fallbacks`: `provider/model`, or `provider/` and a bare `provider`, which keep the asked model's name
 * (inference-resolved.md, 6.1).
 */
export function parseFallback(entry: string, requestedModel: string): ModelName | undefined {
  const provider = entry.endsWith("/") ? entry.slice(0, -1) : entry;
  if (provider !== "" && !provider.includes("/") && provider.trim() === provider)
    return { provider, model: requestedModel };
  return parseModelName(entry);
}
