import { isRecord } from "../../../src/dialects/wire-values.ts";
import { isGatewayError } from "../../../src/errors.ts";

/** What a vendor's refusals have taught: parameters that a model does not take. */
export interface LearntParameters {
  /** The body without what its model has refused before; each parameter is named in a warning. */
  apply(body: ParameterBody, to: Warner): ParameterBody;
  /** True where an error refuses a parameter that the request can do without: it is remembered, and worth another try. */
  learn(body: ParameterBody, thrown: unknown): boolean;
}

type ParameterBody = Record<string, unknown>;

interface Warner {
  readonly provider: string;
  warn(warning: string): void;
}

/** What becomes of a parameter: another name of the vendor's, or nothing. */
type Remedy = { readonly path: string; readonly instead: string | undefined };

/** Names of models come from callers, names of parameters from vendors: more are not remembered. */
const mostModels = 256;
const mostParameters = 16;

/** A request without these would ask for something else, or for more than was reserved. */
const needed: ReadonlySet<string> = new Set(
  "model messages input stream tools tool_choice response_format text instructions max_tokens max_completion_tokens max_output_tokens n".split(
    " ",
  ),
);

/** Memory of one vendor; it lasts as long as the process. */
export function learntParameters(): LearntParameters {
  const known = new Map<string, Remedy[]>();
  return {
    apply(body, to) {
      const remedies = known.size === 0 ? undefined : known.get(`${body.model}`);
      return (remedies ?? []).reduce((left, remedy) => without(left, remedy, to), body);
    },
    learn(body, thrown) {
      const remedy = remedyOf(body, thrown);
      if (remedy === undefined) return false;
      const model = `${body.model}`;
      const others = known.get(model) ?? [];
      const [oldest] = known.keys();
      if (others.length >= mostParameters || others.some(({ path }) => path === remedy.path)) return false;
      if (known.size >= mostModels && oldest !== undefined) known.delete(oldest);
      known.set(model, [...others, remedy]);
      return true;
    },
  };
}

/** Words of refusals: "Unsupported parameter: 'x' is not supported with this model", "Unrecognized request argument supplied: x". */
const refuses =
  /unsupported|not supported|unrecogni[sz]ed|unknown|does not support|not permitted|unexpected|not allowed/i;
const names = /(?:parameter|argument|field|value|input)s?(?: supplied)?:?\s*['"`]?([a-z][a-z0-9_.]*)/i;
const renames = /use ['"`]?([a-z][a-z0-9_]*)['"`]? instead/i;

function remedyOf(body: ParameterBody, thrown: unknown): Remedy | undefined {
  if (!isGatewayError(thrown) || thrown.code !== "upstream_error") return undefined;
  const { upstream, message } = thrown;
  if ((upstream?.status !== 400 && upstream?.status !== 422) || !refuses.test(message)) return undefined;
  const path = (upstream.param ?? names.exec(message)?.[1] ?? "").replace(/\.$/, "");
  const [first = ""] = path.split(".");
  if (!has(body, path)) return undefined;
  const instead = renames.exec(message)?.[1];
  if (instead !== undefined && first === path && !has(body, instead) && /^max_/.test(instead)) return { path, instead };
  return needed.has(first) ? undefined : { path, instead: undefined };
}

function has(body: ParameterBody, path: string): boolean {
  const [first = "", ...rest] = path.split(".");
  const inner = Object.hasOwn(body, first) ? body[first] : undefined;
  if (rest.length === 0) return inner !== undefined;
  return isRecord(inner) && has(inner, rest.join("."));
}

function without(body: ParameterBody, { path, instead }: Remedy, to: Warner): ParameterBody {
  if (!has(body, path)) return body;
  if (instead !== undefined) {
    const { [path]: value, ...rest } = body;
    return { ...rest, [instead]: value };
  }
  to.warn(`\`${path}\` is not supported by ${body.model} of ${to.provider}`);
  return removed(body, path.split("."));
}

function removed(body: ParameterBody, [first = "", ...rest]: readonly string[]): ParameterBody {
  const { [first]: inner, ...others } = body;
  return rest.length === 0 || !isRecord(inner) ? others : { ...others, [first]: removed(inner, rest) };
}
