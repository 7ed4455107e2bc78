import { fieldOf, type SentBody } from "./body-fields.ts";

/** Where the requests of one interface have their parameters. Paths are those of the body, with dots between names. */
export interface ParameterPlaces {
  /** What a request would ask for something else without, or for more than was reserved: rules and refusals never drop it. */
  readonly needed: ReadonlySet<string>;
  /** Objects that hold parameters: refusals may name what they hold without them, and they are never dropped whole. */
  readonly holders: readonly string[];
  /** Objects that go as one: what is refused inside of them drops them. */
  readonly units: readonly string[];
}

/** Both interfaces of OpenAI. */
export const openaiPlaces: ParameterPlaces = {
  needed: new Set(
    "model messages input stream tools tool_choice response_format text.format instructions max_tokens max_completion_tokens max_output_tokens n".split(
      " ",
    ),
  ),
  holders: ["text"],
  units: [],
};

/** True for what a request cannot do without: it is needed, or holds or is inside of what is. */
export function isNeeded(path: string, { needed, holders }: ParameterPlaces): boolean {
  if (holders.includes(path)) return true;
  return [...needed].some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
}

/**
 * The path in a body of what a refusal names, in the vendor's words or nearly: `generation_config.topK`, `top_k` inside of a holder,
 * `thinking.type.enabled` with the value behind the name. `undefined` for what the body does not have.
 */
export function pathNamed(name: string, body: SentBody, { holders, units }: ParameterPlaces): string | undefined {
  const segments = name.split(/[.[\]]+/).filter(Boolean);
  for (let length = segments.length; length > 0; length--) {
    const tried = segments.slice(0, length);
    const last = tried.at(-1) ?? "";
    const paths = [tried.join("."), tried.map(camelCase).join(".")];
    for (const holder of holders) paths.push(`${holder}.${last}`, `${holder}.${camelCase(last)}`);
    const found = paths.find((path) => fieldOf(body, path) !== undefined);
    if (found !== undefined) return units.find((unit) => found.startsWith(`${unit}.`)) ?? found;
  }
  return undefined;
}

function camelCase(word: string): string {
  return word.replace(/[_ ]+([a-z0-9])/gi, (_all, first: string) => first.toUpperCase());
}
