import fieldTexts from "./field-texts.json" with { type: "json" };
import { type JsonSchema, referredBy } from "./json-schema.ts";

/** The sentence about a field of that name, in every schema. */
const texts = new Map(Object.entries(fieldTexts));

/** Whose words a schema has, by the beginning of its name: their own documentation has the last word on its fields. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/^genai/i, "As in the Gemini API"],
  [/^cohere/i, "As in Cohere's API"],
  [/^anthropic/i, "As in Anthropic's API"],
  [/^(?:openai|response|DecisionListRequest)/i, "As in OpenAI's API"],
  [/^systemone/i, "As in System One's API"],
  [/^mcp/i, "As in the Model Context Protocol"],
  [
    /^(?:backup|cluster|iaas|cloudProfile|server|flavor|image|volumeType|project|workerGroup|secret|credential|kubeconfig|domain|availability|keypair|shared|storeObject|received|objectstore)/i,
    "As the back end of the region has it",
  ],
];

const rate = /(?:^|_)cost(?:_|$)/;

/** The sentence about a field; `owner` is the schema or the operation that has it. Undefined for a name that nothing is known of. */
export function describeField(owner: string, name: string): string | undefined {
  const text = texts.get(name);
  if (text !== undefined) return `${text}.`;
  if (rate.test(name)) return `US dollars: ${name.replaceAll("_", " ")}.`;
  const words = foreign.find(([beginning]) => beginning.test(owner))?.[1];
  return words && `${words}: \`${name}\`.`;
}

/** The schemas that parts of a document refer to, with a description of every field. */
export function describeUsed(
  parts: unknown,
  components: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const schemas = referredBy(parts, components);
  return Object.fromEntries(Object.entries(schemas).map(([owner, schema]) => [owner, withTexts(schema, owner)]));
}

function withTexts(schema: JsonSchema, owner: string): JsonSchema {
  const { properties } = schema;
  if (!properties) return schema;
  const described = Object.entries(properties).map(([name, part]) => {
    const field = part as JsonSchema;
    const description = field.description ?? describeField(owner, name);
    return [name, description === undefined ? field : { description, ...field }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}
