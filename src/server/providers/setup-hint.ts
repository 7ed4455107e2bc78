import type { CheckedConfig } from "../config/shape.ts";
import { kinds, type ProviderKind } from "./kinds.ts";

/** Says how a provider of a known kind is set up that is not configured; `undefined` for a name that is no kind. */
export function setupHintFor({ providers, discover }: Pick<CheckedConfig, "providers" | "discover">) {
  const declared = new Map(providers === undefined || Array.isArray(providers) ? [] : Object.entries(providers));
  return (name: string): string | undefined => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return undefined;
    const setting = `\`providers.${name}\` in the configuration`;
    if (declared.get(name) === false) return `${setting} switches it off`;
    const variables = discover === false ? undefined : variablesOf(kind);
    return variables === undefined ? `declare ${setting}` : `set ${variables}, or ${setting}`;
  };
}

/** The variables that make a vendor known; a server of one's own is found where it runs. */
function variablesOf(kind: ProviderKind): string | undefined {
  const { keyVariables, urlVariable, placeVariables = {}, baseUrl, needsKey, isSelfHosted } = kind;
  if (isSelfHosted) return baseUrl && urlVariable ? `\`${urlVariable}\`` : undefined;
  const [key] = keyVariables;
  if (!needsKey || key === undefined) return undefined;
  const [place] = Object.values(placeVariables);
  if (place !== undefined) return `\`${key}\` and \`${place}\``;
  return baseUrl === undefined && urlVariable !== undefined ? `\`${key}\` and \`${urlVariable}\`` : `\`${key}\``;
}
