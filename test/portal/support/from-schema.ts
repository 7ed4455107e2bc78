import fc from "fast-check";

/** A JSON Schema as our documents write them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly minProperties?: number;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
}

/** The named schemas of a document. */
export type Components = Readonly<Record<string, Schema>>;

/** Values that a schema accepts, as far as the schema says; a refinement may still refuse one. */
export function valuesOf(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const inner = (part: Schema) => valuesOf(part, components);
  if (schema.$ref?.endsWith("/JsonValue")) return fc.jsonValue({ maxDepth: 2 }); // it refers to itself
  if (schema.$ref?.endsWith("/JsonObject"))
    return inner({ type: "object", additionalProperties: { $ref: "#/components/schemas/JsonValue" } });
  if (schema.$ref !== undefined) return inner(components[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return fc.oneof(...members.map(inner));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => inner({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return texts(schema);
    case "integer":
    case "number":
      return numbers(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const minLength = schema.minItems ?? 0;
      const bounds = { minLength, maxLength: Math.min(schema.maxItems ?? 3, minLength + 3) };
      const items = inner(schema.items ?? {});
      return schema.uniqueItems ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
    }
    case "object":
      return objects(schema, inner);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function texts({ format, pattern, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  if (format === "date-time") return instants;
  if (format === "uri") return fc.webUrl({ validSchemes: ["http", "https"] });
  if (format === "email") return fc.constantFrom("ada@example.com", "grace.hopper@example.org");
  const most = Math.min(maxLength, Math.max(minLength, 20));
  if (pattern === undefined)
    return fc.string({ minLength, maxLength: most, unit: "grapheme" }).map((text) => text.slice(0, most));
  const bounds = pattern.includes("|") ? {} : { maxLength: Math.min(maxLength, Math.max(most, 40)) }; // a pattern may begin with a long text
  const matching = fc.stringMatching(new RegExp(pattern, "u"), bounds);
  return matching.filter((text) => text.length >= minLength && text.length <= maxLength);
}

const instants = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
  .map((at) => at.toISOString());

function numbers({ type, minimum, exclusiveMinimum, maximum = 1e9 }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1e6 : exclusiveMinimum + 1);
  const max = Math.max(min, Math.min(maximum, 1e12));
  if (type === "integer") return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc
    .double({ min, max, noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? 0 : value));
}

function objects(
  { properties = {}, required = [], additionalProperties, propertyNames, ...bounds }: Schema,
  inner: (part: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const names = Object.keys(properties);
  if (names.length === 0) {
    if (additionalProperties === false) return fc.constant({});
    const values =
      typeof additionalProperties === "object" ? inner(additionalProperties) : fc.jsonValue({ maxDepth: 1 });
    const { minProperties: minKeys = 0 } = bounds;
    const keys = propertyNames ? texts(propertyNames) : fc.stringMatching(/^[a-z_]{1,8}$/);
    return fc.dictionary(keys, values, { minKeys, maxKeys: minKeys + 3 }).map((made) => ({ ...made }));
  }
  const fields = Object.fromEntries(names.map((name) => [name, inner(properties[name] ?? {})]));
  const { minProperties = 0, dependentRequired = {} } = bounds;
  const isWhole = (made: object) =>
    Object.keys(made).length >= minProperties &&
    Object.keys(made).every((name) => dependentRequired[name]?.every((other) => other in made) ?? true);
  const made = fc.record(fields, { requiredKeys: [...required], noNullPrototype: true });
  return minProperties > 0 || "dependentRequired" in bounds ? made.filter(isWhole) : made;
}
