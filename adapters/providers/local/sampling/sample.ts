import { sampleNumber, sampleShares } from "./number-sample.ts";
import { enter, isObject, type SampledSchema, type SchemaWalk, unsupported } from "./sampling.ts";
import { sampleText } from "./text-sample.ts";

/** A value for a schema, and the keywords that it may break, as dotted paths. */
export interface Sample {
  readonly value: unknown;
  readonly missed: readonly string[];
}

/** Schemas that are visited for one value. */
const maxVisits = 2_000;

/**
 * A small value that satisfies a JSON Schema: required properties only, arrays as short as may be, texts made of `words`. What it
 * cannot see to (`not`, look-around in patterns, …) is named in `missed`; `null` where nothing satisfies the schema.
 */
export function sampleOf(schema: unknown, words: string): Sample {
  const sampling: SchemaWalk = {
    root: schema,
    words: words || "echo",
    missed: new Set(),
    open: new Set(),
    budget: maxVisits,
  };
  const value = sample(schema, "", sampling);
  if (value === undefined) unsupported(sampling, "", "(a schema that nothing satisfies)");
  return { value: value ?? null, missed: [...sampling.missed] };
}

/** The value, or `undefined` when there is none. */
function sample(schema: unknown, path: string, sampling: SchemaWalk): unknown {
  enter(sampling);
  if (schema === true) return sampling.words;
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === "string") return sampleReference(schema, path, sampling);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.allOf)) return sample(joinAll(schema), path, sampling);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return sampleBranch(schema, branches, { path, sampling });
  noteUnseen(schema, path, sampling);
  for (const type of typesOf(schema)) {
    const value = sampleType(type, schema, { path, sampling });
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Where the walk is. */
interface SamplePosition {
  readonly path: string;
  readonly sampling: SchemaWalk;
}

function sampleType(type: unknown, schema: SampledSchema, { path, sampling }: SamplePosition): unknown {
  if (type === "object") return sampleObject(schema, path, sampling);
  if (type === "array") return sampleArray(schema, path, sampling);
  if (type === "string") return sampleText(schema, path, sampling);
  if (type === "number" || type === "integer") return sampleNumber(schema, type === "integer");
  if (type === "boolean") return false;
  return type === "null" ? null : undefined;
}

const typeByKeyword: readonly (readonly [keyword: string, type: string])[] = [
  ["properties", "object"],
  ["required", "object"],
  ["additionalProperties", "object"],
  ["items", "array"],
  ["prefixItems", "array"],
  ["minItems", "array"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "number"],
];

/** The types to try; a schema without `type` has the one that its keywords speak of, else it is a text. */
function typesOf(schema: SampledSchema): readonly unknown[] {
  const { type } = schema;
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  return [typeByKeyword.find(([keyword]) => schema[keyword] !== undefined)?.[1] ?? "string"];
}

function noteUnseen(schema: SampledSchema, path: string, sampling: SchemaWalk): void {
  for (const keyword of ["not", "if", "contains", "dependentRequired", "dependentSchemas", "propertyNames"]) {
    if (schema[keyword] !== undefined) unsupported(sampling, path, keyword);
  }
}

function sampleReference(schema: SampledSchema, path: string, sampling: SchemaWalk): unknown {
  const { $ref, ...rest } = schema;
  const reference = $ref as string; // the caller has looked
  if (sampling.open.has(reference)) return undefined;
  const target = resolve(sampling.root, reference);
  if (target === undefined) {
    unsupported(sampling, path, "$ref");
    return undefined;
  }
  sampling.open.add(reference);
  const value = sample(isObject(target) ? join(rest, target) : target, path, sampling);
  sampling.open.delete(reference);
  return value;
}

/** What `#/a/b` points at inside the document; other documents are not fetched. */
function resolve(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as SampledSchema)[name];
  }
  return at;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function sampleBranch(
  schema: SampledSchema,
  branches: readonly unknown[],
  { path, sampling }: SamplePosition,
): unknown {
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  for (const branch of branches) {
    const value = sample(isObject(branch) ? join(rest, branch) : branch, path, sampling);
    if (value !== undefined) return value;
  }
  return undefined;
}

function joinAll({ allOf, ...rest }: SampledSchema): SampledSchema {
  return (allOf as readonly unknown[]).filter(isObject).reduce(join, rest);
}

/** Keywords of two schemas that hold at once: what both require, the stricter of the bounds, else the later one. */
function join(one: SampledSchema, other: SampledSchema): SampledSchema {
  const joined: Record<string, unknown> = { ...one, ...other };
  if (isObject(one.properties) && isObject(other.properties))
    joined.properties = joinProperties(one.properties, other.properties);
  if (Array.isArray(one.required) && Array.isArray(other.required))
    joined.required = [...one.required, ...other.required];
  if (Array.isArray(one.allOf) && Array.isArray(other.allOf)) joined.allOf = [...one.allOf, ...other.allOf];
  for (const [keyword, stricter] of bounds) {
    const [a, b] = [one[keyword], other[keyword]];
    if (typeof a === "number" && typeof b === "number") joined[keyword] = stricter(a, b);
  }
  return joined;
}

const bounds: readonly (readonly [keyword: string, stricter: (a: number, b: number) => number])[] = [
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map((name) => [name, Math.max] as const),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems"].map((name) => [name, Math.min] as const),
];

function joinProperties(one: SampledSchema, other: SampledSchema): SampledSchema {
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const shared = both.map((name) => [name, { allOf: [one[name], other[name]] }]);
  return Object.fromEntries([...Object.entries(one), ...Object.entries(other), ...shared]);
}

function sampleObject(schema: SampledSchema, path: string, sampling: SchemaWalk): unknown {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
  const { minProperties: least, additionalProperties: others = true } = schema;
  const names = [...new Set<string>(required)];
  const optional = Object.keys(properties).filter((name) => !names.includes(name));
  if (typeof least === "number") names.push(...optional.slice(0, Math.max(0, least - names.length)));
  if (typeof least === "number" && names.length < least) unsupported(sampling, path, "minProperties");
  const shares = others === false && optional.length === 0 ? sampleShares(properties, names) : undefined;
  if (shares !== undefined) return shares;
  const entries: [string, unknown][] = [];
  for (const name of names) {
    const own = Object.hasOwn(properties, name) ? properties[name] : others;
    const value = sample(own, path === "" ? name : `${path}.${name}`, sampling);
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function sampleArray(schema: SampledSchema, path: string, sampling: SchemaWalk): unknown {
  const { items, prefixItems, minItems, maxItems, uniqueItems } = schema;
  const fixed = [prefixItems, items].find(Array.isArray) ?? [];
  const least = Math.max(typeof minItems === "number" ? minItems : 0, fixed.length);
  const count = Math.min(least, typeof maxItems === "number" ? maxItems : Infinity);
  if (uniqueItems === true && count > 1) unsupported(sampling, path, "uniqueItems");
  const rest = Array.isArray(items) ? (schema.additionalItems ?? true) : (items ?? true);
  const values: unknown[] = [];
  while (values.length < count) {
    const position = values.length;
    const value = sample(position < fixed.length ? fixed[position] : rest, `${path}[${position}]`, sampling);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
