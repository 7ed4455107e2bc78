/** What the tests read of an OpenAPI document, and a walk over its schemas. */

export interface FormSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly FormSchema[];
  readonly oneOf?: readonly FormSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly prefixItems?: readonly FormSchema[];
  readonly additionalProperties?: FormSchema | boolean;
  readonly description?: string;
  readonly "x-enum-varnames"?: readonly string[];
}

interface Content {
  readonly schema: FormSchema;
  readonly example?: unknown;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly "x-operation": string;
  readonly "x-permission"?: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: FormSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Record<string, Content> }>>;
}

/** A schema of the document, and where it is. */
export interface Found {
  readonly where: string;
  readonly schema: FormSchema;
}

export function partsOf({ where, schema }: Found): Found[] {
  const { properties = {}, items, prefixItems = [], additionalProperties, anyOf = [], oneOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, part]) => ({ where: `${where}.${name}`, schema: part })),
    ...[...anyOf, ...oneOf].map((part, at) => ({ where: `${where}|${at}`, schema: part })),
    ...[...(items ? [items] : []), ...prefixItems].map((part) => ({ where: `${where}[]`, schema: part })),
    ...(typeof additionalProperties === "object" ? [{ where: `${where}.*`, schema: additionalProperties }] : []),
  ];
}

export function within(found: Found): Found[] {
  return [found, ...partsOf(found).flatMap(within)];
}
