/** How providers decorate names: each rule takes one decoration off and says what is left. */
const decorations: readonly { readonly provider?: string; readonly take: RegExp; readonly leave?: string }[] = [
  { take: /^models\// },
  { provider: "fireworks", take: /^(?!accounts\/)/, leave: "accounts/fireworks/models/" },
  // Inference profiles: `us.anthropic.…`; those whose price differs are listed under their own names.
  { provider: "bedrock", take: /^(?:global|us-gov|us|eu|apac|jp|au|ca|in|sa)\./ },
  { provider: "bedrock", take: /(?:-v\d+)?:\d+$/ },
  { provider: "bedrock", take: /-v\d+$/ },
  // Vertex AI: `@20250929`, `@default`, `@001`.
  { take: /@[\w-]+$/ },
  // `-2024-08-06`, `-20250929`, `-09-2025`, `-05-06`.
  { take: /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4}|\d{2}-\d{2})$/ },
  { take: /-latest$/ },
  // Numbered and short dates: `-001`, `-2411`, `-0613`.
  { take: /-\d{3,4}$/ },
];

/**
 * The names under which a model may be listed whose asked name is not: without its decorations, one after the other, each also with
 * `-latest`. All are in lower case. Variants that change the price (`:free`, `-preview`, `-mini`) are never taken off.
 */
export function* otherNames(provider: string, asked: string): Generator<string> {
  let name = asked.toLowerCase();
  if (name !== asked) yield name;
  yield `${name}-latest`;
  for (const decoration of decorations) {
    if (decoration.provider !== undefined && decoration.provider !== provider) continue;
    const bare = name.replace(decoration.take, decoration.leave ?? "");
    if (bare === name || bare === "") continue;
    name = bare;
    yield name;
    yield `${name}-latest`;
  }
}
