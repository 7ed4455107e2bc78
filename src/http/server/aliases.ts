/** Paths under which clients of other gateways and of Azure look for an operation, and the operation's own. */
const aliases: readonly (readonly [pattern: RegExp, own: string])[] = [
  // An address of a client that adds the version itself, given with its version.
  [/^(\/(?:openai|anthropic|genai|cohere|systemone))?\/(v1|v1beta|v2)\/\2\//, "$1/$2/"],
  // Azure's clients: a deployment is a model.
  [/^\/openai\/deployments\/.+\/(chat\/completions|embeddings)$/, "/openai/v1/$1"],
  // Addresses without their version.
  [/^\/openai\/(chat\/completions|embeddings|models|responses|decisions)(?=\/|$)/, "/openai/v1/$1"],
  [/^\/(chat\/completions|embeddings|models|responses|rerank|decisions)(?=\/|$)/, "/v1/$1"],
  [/^\/systemone$/, "/v1/systemone"],
  [/^\/systemone\/(systemone|models)$/, "/systemone/v1/$1"],
  [/^\/anthropic\/(messages|models)(?=\/|$)/, "/anthropic/v1/$1"],
  // Vendors' clients with the gateway's own address instead of that of the dialect.
  [/^\/v1\/messages(?=\/|$)/, "/anthropic/v1/messages"],
  [/^\/(v1beta\/models\/)/, "/genai/$1"],
  [/^\/v2\/(chat|embed|rerank)$/, "/cohere/v2/$1"],
];

/** Returns the path of an operation for a path that is unknown; undefined where it is nobody's other name. */
export function findAlias(path: string): string | undefined {
  for (const [pattern, own] of aliases) if (pattern.test(path)) return path.replace(pattern, own);
  return undefined;
}
