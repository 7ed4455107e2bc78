/** How a provider writes the location in front of a model's name: `eu.anthropic.…`, `us-east-1/anthropic.…`, `eu/gpt-5`. In lower case. */
export const locationPrefixes: Readonly<Record<string, RegExp>> = {
  bedrock: /^(?:(global|us-gov|us|eu|apac|jp|au|ca|in|sa)\.|([a-z]{2}(?:-gov)?-[a-z]+-\d)\/)(?=.)/,
  azure: /^(global-standard|global|us|eu|apac)\/(?=.)/,
  vertex: /^(global|us|eu|[a-z]+-[a-z]+\d+)\/(?=.)/,
  anthropic: /^(global|us)\/(?=.)/,
  openai: /^(global|us|eu|au|ca|in|jp|kr|sg|uk|ae)\/(?=.)/,
};

/** How providers decorate names: each rule takes one decoration off, or writes it in the way of the list. */
const decorations: readonly { readonly provider?: RegExp; readonly take: RegExp; readonly leave?: string }[] = [
  { take: /^models\// },
  { provider: /^vertex$/, take: /^(?:publishers\/)?(?:google|anthropic|mistralai|meta)\/(?:models\/)?/ },
  { provider: /^bedrock$/, take: /^arn:aws[\w-]*:bedrock:[\w-]*:\d*:(?:foundation-model|inference-profile)\// },
  { provider: /^fireworks$/, take: /^(?!accounts\/)/, leave: "accounts/fireworks/models/" },
  // Fine-tunes cost what their kind does: `ft:gpt-4o-2024-08-06:org:name:id`.
  { take: /^(ft:[^:]+):.+$/, leave: "$1" },
  { provider: /^bedrock$/, take: /(?:-v\d+)?:\d+$/ },
  { provider: /^bedrock$/, take: /-v\d+$/ },
  // Vertex AI: `@20250929`, `@default`, `@001`.
  { take: /@[\w-]+$/ },
  // `-2024-08-06`, `-20250929`, `-09-2025`, `-05-06`.
  { take: /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4}|\d{2}-\d{2})$/ },
  { take: /-latest$/ },
  // Numbered and short dates: `-001`, `-2411`, `-0613`.
  { take: /-\d{3,4}$/ },
];

/**
 * The spellings under which a model may be listed: its own, then without its decorations, one after the other, each also with
 * `-latest`. All are in lower case. Variants that change the price (`:free`, `-preview`, `-mini`) are never taken off.
 */
export function* spellingsOf(provider: string, model: string): Generator<string> {
  let name = model.toLowerCase();
  yield name;
  yield `${name}-latest`;
  for (const bare of undecorate(provider, name)) {
    name = bare;
    yield name;
    yield `${name}-latest`;
  }
}

/** The name without any decoration, by which a model is found that is listed under a dated or versioned name only. */
export function bareName(provider: string, model: string): string {
  return [...undecorate(provider, model.toLowerCase())].at(-1) ?? model.toLowerCase();
}

function* undecorate(provider: string, model: string): Generator<string> {
  let name = model;
  for (const decoration of decorations) {
    if (decoration.provider?.test(provider) === false) continue;
    const bare = name.replace(decoration.take, decoration.leave ?? "");
    if (bare === name || bare === "") continue;
    name = bare;
    yield name;
  }
}
