import type { JsonSchema } from "./json-schema.ts";
import { flattenUnion, inForm, withoutAbsent } from "./schema-form.ts";

const root = "#/components/schemas/";

/** Gives the schemas of a document their form: objects and unions inside others become components with names of their own. */
export interface SchemaNames {
  /** A schema in form; an object or a union becomes a component that the returned schema refers to. */
  named(schema: JsonSchema, name: string): JsonSchema;
  /** All components, those that were added among them. */
  readonly components: ReadonlyMap<string, JsonSchema>;
}

/** What is named so far. */
interface Naming {
  /** The components as they were written. */
  readonly written: Readonly<Record<string, JsonSchema>>;
  readonly components: Map<string, JsonSchema>;
  readonly taken: Set<string>;
  /** References by what they refer to. */
  readonly known: Map<string, JsonSchema>;
}

/** Begins with the components of a document, which keep their names. */
export function nameSchemas(written: Readonly<Record<string, JsonSchema>>): SchemaNames {
  const naming: Naming = { written, components: new Map(), taken: new Set(Object.keys(written)), known: new Map() };
  for (const [name, schema] of Object.entries(written)) naming.components.set(name, formInPlace(naming, schema, name));
  return { named: (schema, name) => formNamed(naming, schema, name), components: naming.components };
}

/** A schema in form; `name` is what an object or a union in it would be called. The schema itself stays in place. */
function formInPlace(naming: Naming, schema: JsonSchema, name: string): JsonSchema {
  const formed = inForm(schema);
  const members = membersOf(formed);
  if (members) return formUnion(naming, { schema: formed, members, name });
  const { properties, items, additionalProperties, prefixItems } = formed;
  const named = (part: unknown, own: string) => formNamed(naming, part as JsonSchema, own);
  return {
    ...formed,
    ...(properties
      ? { properties: mapFields(properties, (part, field) => named(part, name + pascalCase(field))) }
      : {}),
    ...(isSchema(items) ? { items: named(items, singular(name)) } : {}),
    ...(prefixItems ? { prefixItems: prefixItems.map((part, at) => named(part, `${name}${at + 1}`)) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: named(additionalProperties, `${name}Value`) } : {}),
  };
}

function mapFields(fields: Readonly<Record<string, unknown>>, change: (part: unknown, field: string) => JsonSchema) {
  return Object.fromEntries(Object.entries(fields).map(([field, part]) => [field, change(part, field)]));
}

interface NamedUnion {
  readonly schema: JsonSchema;
  readonly members: readonly JsonSchema[];
  readonly name: string;
}

function formUnion(naming: Naming, { schema, members, name }: NamedUnion): JsonSchema {
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  const [only] = members;
  if (only && members.length === 1) return { ...formInPlace(naming, only, name), ...rest };
  const field = distinctiveProperty(members, naming.written);
  const isNullable = members.filter(({ type }) => type !== "null").length === 1;
  const parts = members.map((member, position) => {
    if (isNullable) return formNamed(naming, member, name);
    const own = memberName(member, { name, field, position, flat: members });
    return isPrimitive(member) || member.$ref ? formNamed(naming, member, own) : toComponent(naming, member, own);
  });
  if (field === undefined) return { ...rest, anyOf: parts };
  const mapping = members.flatMap((member, at) =>
    constantsOf(resolve(member, naming.written), field).map((value) => [value, parts[at]?.$ref]),
  );
  return { ...rest, oneOf: parts, discriminator: { propertyName: field, mapping: Object.fromEntries(mapping) } };
}

/** A schema in form; an object or a union becomes a component that the returned schema refers to. */
function formNamed(naming: Naming, schema: JsonSchema, name: string): JsonSchema {
  const formed = inForm(schema);
  if (isAnyObject(formed)) return withoutAbsent({ description: formed.description, $ref: `${root}JsonObject` });
  const members = membersOf(formed);
  if (!members) return formed.properties ? toComponent(naming, formed, name) : formInPlace(naming, formed, name);
  const present = members.filter(({ type }) => type !== "null");
  if (present.length === 1 || present.every(isPrimitive)) return formInPlace(naming, formed, name);
  const { anyOf: _any, oneOf: _one, ...own } = formed;
  const union = toComponent(naming, { anyOf: present }, name);
  return present.length === members.length ? { ...own, ...union } : { ...own, anyOf: [union, { type: "null" }] };
}

/** A reference to a component; what is the same under the same word is one component. */
function toComponent(naming: Naming, schema: JsonSchema, name: string): JsonSchema {
  const { description, ...rest } = schema;
  const key = `${lastWord(name)} ${JSON.stringify(rest)}`;
  const there = naming.known.get(key);
  if (there) return withoutAbsent({ description, ...there });
  const own = freeName(naming.taken, name);
  const reference = { $ref: root + own };
  naming.known.set(key, reference);
  naming.components.set(own, formInPlace(naming, rest, name));
  return withoutAbsent({ description, ...reference });
}

function freeName(taken: Set<string>, name: string): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}${count}`;
  taken.add(free);
  return free;
}

/** An object of any fields, as it has a name already. */
function isAnyObject({ type, additionalProperties, properties, description: _, ...rest }: JsonSchema): boolean {
  const { $ref } = isSchema(additionalProperties) ? additionalProperties : {};
  return type === "object" && !properties && $ref === `${root}JsonValue` && Object.keys(rest).length === 0;
}

/** The members of a union without the unions among them; undefined for what is no union. */
function membersOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] | undefined {
  const members = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  return members && flattenUnion(members);
}

function isPrimitive({ $ref, type, properties }: JsonSchema): boolean {
  return $ref === undefined && properties === undefined && type !== "array" && type !== "object";
}

interface MemberPlace {
  readonly name: string;
  /** The property that tells the members apart. */
  readonly field: string | undefined;
  readonly position: number;
  readonly flat: readonly JsonSchema[];
}

function memberName(member: JsonSchema, { name, field, position, flat }: MemberPlace): string {
  if (field) return name + pascalCase(constantsOf(member, field).join("_"));
  if (member.type === "array") return `${name}List`;
  if (member.type === "object" && !member.properties) return `${name}Map`;
  const kind = constantsOf(member, "type")[0] ?? constantsOf(member, "object")[0];
  if (kind !== undefined) return name + pascalCase(kind);
  const objects = flat.filter(({ properties }) => properties);
  if (objects.length === 1) return `${name}Object`;
  const isOwn = (required: string) => objects.every((other) => other === member || !other.required?.includes(required));
  const own = member.required?.find(isOwn);
  return name + (own ? `With${pascalCase(own)}` : `Option${position + 1}`);
}

/** The required property that has constants of its own in every member of a union. */
function distinctiveProperty(
  members: readonly JsonSchema[],
  written: Readonly<Record<string, JsonSchema>>,
): string | undefined {
  const objects = members.map((member) => resolve(member, written));
  if (objects.length < 2 || objects.some(({ properties }) => !properties)) return undefined;
  return Object.keys(objects[0]?.properties ?? {}).find((field) => {
    const constants = objects.map((member) => (member.required?.includes(field) ? constantsOf(member, field) : []));
    const all = constants.flat();
    return constants.every(({ length }) => length > 0) && new Set(all).size === all.length;
  });
}

function constantsOf(schema: JsonSchema, field: string): string[] {
  const part = schema.properties?.[field] as JsonSchema | undefined;
  const values = part?.const === undefined ? (part?.enum ?? []) : [part.const];
  return values.every((value) => typeof value === "string") ? (values as string[]) : [];
}

function resolve(schema: JsonSchema, written: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return schema.$ref === undefined ? schema : (written[schema.$ref.slice(root.length)] ?? schema);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `ai_project` and `ai.createKey` as `AiProject` and `AiCreateKey`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function lastWord(name: string): string {
  return name.match(/[A-Z][a-z0-9]*(?:List|Map|Item|Object|Value|Input)?$/)?.[0] ?? name;
}

function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, "y");
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}
