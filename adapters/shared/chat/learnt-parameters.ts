import { isGatewayError } from "../../../src/engine/errors.ts";
import { fieldOf, type SentBody } from "./body-fields.ts";
import { type RuledTarget, withoutRefused } from "./model-rules.ts";
import { isNeeded, openaiPlaces, type ParameterPlaces, pathNamed } from "./parameter-places.ts";
import { namedIn, replacementIn } from "./refusal-words.ts";

/** What a vendor's refusals have taught: parameters that a model does not take. */
export interface LearntParameters {
  /** The body without what its model has refused before; each deviation is named in a warning. */
  apply(body: SentBody, to: RuledTarget): SentBody;
  /** True where an error refuses a parameter that the request can do without: it is remembered, and worth another try. */
  learn(body: SentBody, model: string, thrown: unknown): boolean;
}

/** What becomes of a parameter: another name of the vendor's, or nothing. */
type Remedy = { readonly path: string; readonly instead: string | undefined };

/** Names of models come from callers, names of parameters from vendors: more are not remembered. */
const mostModels = 256;
const mostParameters = 16;

/** Memory of one vendor; it lasts as long as the process. */
export function learntParameters(places: ParameterPlaces = openaiPlaces): LearntParameters {
  const known = new Map<string, Remedy[]>();
  return {
    apply(body, to) {
      const remedies = known.size === 0 ? undefined : known.get(to.model);
      return (remedies ?? []).reduce((left, remedy) => without(left, remedy, to), body);
    },
    learn(body, model, thrown) {
      const remedy = remedyOf(body, places, thrown);
      if (remedy === undefined) return false;
      const others = known.get(model) ?? [];
      const [oldest] = known.keys();
      if (others.length >= mostParameters || others.some(({ path }) => path === remedy.path)) return false;
      if (known.size >= mostModels && oldest !== undefined) known.delete(oldest);
      known.set(model, [...others, remedy]);
      return true;
    },
  };
}

function remedyOf(body: SentBody, places: ParameterPlaces, thrown: unknown): Remedy | undefined {
  if (!isGatewayError(thrown) || thrown.code !== "upstream_error") return undefined;
  const { upstream, message } = thrown;
  if (upstream?.status !== 400 && upstream?.status !== 422) return undefined;
  for (const name of namedIn(message, upstream.param)) {
    const path = pathNamed(name, body, places);
    if (path === undefined) continue;
    const instead = replacementIn(message);
    const isRenamed = instead !== undefined && !path.includes(".") && !has(body, instead) && /^max_/.test(instead);
    if (isRenamed) return { path, instead };
    if (!isNeeded(path, places)) return { path, instead: undefined };
  }
  return undefined;
}

function has(body: SentBody, path: string): boolean {
  return fieldOf(body, path) !== undefined;
}

function without(body: SentBody, { path, instead }: Remedy, to: RuledTarget): SentBody {
  if (instead === undefined || !has(body, path)) return withoutRefused(body, path, to);
  const { [path]: value, ...rest } = body;
  return { ...rest, [instead]: value };
}
