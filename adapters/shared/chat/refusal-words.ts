/**
 * How vendors refuse a parameter in their errors of status 400 and 422, as seen and documented until November 2026. A refusal of a value
 * ("Invalid value", "must be at most") is none of a parameter.
 */
const refuses =
  /unsupported|not supported|unrecogni[sz]ed|unknown|(?:does not|doesn't) support|not permitted|unexpected|not allowed|deprecated|not enabled|not a valid (?:field|parameter)|extra_forbidden/i;

/** A name, quoted or not, may be of several segments: `text.verbosity`, `generation_config.top_k`. */
const patterns: readonly RegExp[] = [
  // OpenAI, Cohere: "Unsupported parameter: 'x'", "Unrecognized request argument supplied: x", "unknown field: parameter 'x' is not …"
  /(?:parameter|argument|field|value|input)s?(?: supplied)?:?\s*['"`]([a-z][\w.]*)['"`]/gi,
  /(?:parameter|argument|field|value|input)s?(?: supplied)?:?\s*([a-z][\w.]*)/gi,
  // Gemini: "Unknown name \"x\" at 'generation_config': Cannot find field."
  /\bname ['"`]([a-z][\w.]*)['"`]/gi,
  // Bedrock: "extraneous key [x] is not permitted"
  /\bkey \[([a-z][\w.]*)\]/gi,
  // Bedrock, Anthropic: "doesn't support the x field", "does not support the x parameter"
  /\bthe ['"`]?([a-z][\w.]*)['"`]? (?:parameter|field|option|argument)/gi,
  // Cohere, Mistral: "does not support 'x'"
  /\bsupport ['"`]([a-z][\w.]*)['"`]/gi,
  // Anthropic: "x: Extra inputs are not permitted"
  /([a-z][\w.]*): extra inputs/gi,
  // Anthropic, Gemini: "`x` is deprecated for this model", "Thinking level is not supported for this model"
  /['"`]([a-z][\w.]*)['"`] (?:is|are) (?:not|deprecated|unsupported)/gi,
  /(?:^|: )([a-z][\w.]*(?: [a-z]+)?) (?:is|are) (?:not|deprecated|unsupported)/gi,
];

const renames = /use ['"`]?([a-z][a-z0-9_]*)['"`]? instead/i;

/**
 * The names that a refusal may mean, likeliest first: those of its words are finer than its `param`, which may be that of an object, except
 * where `param` is what the vendor's interface states. Empty for an error that refuses no parameter.
 */
export function namedIn(message: string, param: string | undefined): string[] {
  if (!refuses.test(message)) return [];
  const stated = param === undefined ? [] : [param.replace(/^body\./, "").replace(/\.$/, "")];
  const words = patterns.flatMap((pattern) => [...message.matchAll(pattern)].flatMap(([, name]) => name ?? []));
  return [...stated, ...words.map((name) => name.replace(/\.$/, ""))];
}

/** The name that the vendor wants in place of the one that it refuses. */
export function replacementIn(message: string): string | undefined {
  return renames.exec(message)?.[1];
}
