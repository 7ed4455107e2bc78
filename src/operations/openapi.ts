import type { z } from "zod";
import { ErrorBody } from "../api/error.ts";
import { errorTable } from "../errors.ts";
import type { Operation, OperationAccess, OperationTable } from "./define.ts";
import { type JsonSchema, referredBy, type SchemaComponents, writeSchemas } from "./json-schema.ts";
import { spellOutPart, spellOutSchemas } from "./json-values.ts";
import { type Requirement, requirementsOf, type ServiceScheme, schemesOf } from "./security.ts";

/** The parts of a document. */
export interface DocumentSource {
  readonly title: string;
  /** Version of the interface, not of the package. */
  readonly version: string;
  readonly table: OperationTable;
  /** Schemas by name; other values are ignored. Those that the operations use become components. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** How the service credential is accepted under `/api`; empty where none is required. */
  readonly service?: readonly ServiceScheme[];
}

/** An OpenAPI 3.1 document without `servers`: only its server knows where it is mounted. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

const json = "application/json";

/** Describes the operations of a table as an OpenAPI 3.1 document; every `$ref` resolves inside it. */
export function describeOperations({ title, version, table, schemas, service }: DocumentSource): OpenApiDocument {
  const rows = Object.entries(table);
  const used = rows.flatMap(([, { input, output, stream, query, failure }]) => [input, output, stream, query, failure]);
  const schemaComponents = writeSchemas({ ...schemas, ErrorBody }, [
    ErrorBody,
    ...used.filter((schema) => schema !== undefined),
  ]);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, row] of rows) {
    const path = row.path.replace("{+", "{");
    const security = requirementsOf(row.access, service);
    paths[path] = {
      ...paths[path],
      [row.method.toLowerCase()]: describeRow(name, row, { components: schemaComponents, security }),
    };
  }
  const responses = failureResponses(schemaComponents);
  const components = {
    schemas: spellOutSchemas(referredBy({ paths, responses }, schemaComponents.components)),
    responses: spellOutPart(responses),
    headers: {
      EventId: { description: "Identifier of this request, as in logs and events", schema: { type: "string" } },
    },
    securitySchemes: schemesOf(rows.flatMap(([, { access }]) => requirementsOf(access, service))),
  };
  return {
    openapi: "3.1.0",
    info: { title, version },
    paths: spellOutPart(paths) as OpenApiDocument["paths"],
    components,
  };
}

/** The context of the description of an operation. */
interface DescriptionContext {
  readonly components: SchemaComponents;
  readonly security: readonly Requirement[];
}

function describeRow(
  name: string,
  row: Operation,
  { components, security }: DescriptionContext,
): Record<string, unknown> {
  const parameters = [...pathParameters(row), ...headerParameters(row.access), ...queryParameters(row, components)];
  return {
    operationId: name,
    summary: row.summary,
    ...(row.isExtension ? { "x-extension": true } : {}),
    ...(isPermission(row.access) ? { "x-permission": row.access } : {}),
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.input && !readsQuery(row) ? { requestBody: describeBody(components.read(row.input), components) } : {}),
    responses: {
      ...describeAnswer(row, components),
      ...describeFailures(row, components),
    },
  };
}

function isPermission(access: OperationAccess): boolean {
  return access !== "open" && access !== "virtual_key";
}

/** GET and DELETE take their input from the query: a body on them does not pass every client and proxy. */
function readsQuery({ method }: Operation): boolean {
  return method === "GET" || method === "DELETE";
}

function pathParameters({ params }: Operation) {
  return params.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function headerParameters(access: OperationAccess) {
  return isPermission(access) ? [{ name: "region", in: "header", required: true, schema: { type: "string" } }] : [];
}

function queryParameters(row: Operation, components: SchemaComponents) {
  return [readsQuery(row) ? row.input : undefined, row.query].flatMap((query) => {
    if (!query) return [];
    const { properties = {}, required = [] } = resolve(components.read(query), components);
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: "query",
      required: required.includes(name),
      schema,
    }));
  });
}

function describeBody(schema: JsonSchema, components: SchemaComponents) {
  const { type, required = [] } = resolve(schema, components);
  return { required: type !== "object" || required.length > 0, content: { [json]: { schema } } };
}

/** The schema behind a reference to a component. */
function resolve(schema: JsonSchema, { components }: SchemaComponents): JsonSchema {
  return components[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
}

function describeAnswer({ output, stream, accepted, isTable }: Operation, components: SchemaComponents) {
  const headers = { "x-tg-event-id": { $ref: "#/components/headers/EventId" } };
  if (!output && !stream) return { 204: { description: "Done; there is nothing to say.", headers } };
  const schemaOf = (schema: z.ZodType) => ({ schema: components.read(schema) });
  const content = {
    ...(output ? { [json]: schemaOf(output) } : {}),
    ...(isTable ? { "text/csv": { schema: { type: "string" } } } : {}),
    ...(stream ? { "text/event-stream": schemaOf(stream) } : {}),
  };
  return {
    200: { description: "The answer", headers, content },
    ...(accepted === undefined ? {} : { 202: { description: accepted, headers } }),
  };
}

function describeFailures({ failure }: Operation, components: SchemaComponents) {
  if (!failure)
    return {
      400: { $ref: "#/components/responses/BadRequest" },
      default: { $ref: "#/components/responses/Failure" },
    };
  const content = { [json]: { schema: components.read(failure) } };
  return {
    400: { description: "bad request", content },
    default: { description: "Every failure has this body", content },
  };
}

function failureResponses(components: SchemaComponents) {
  const content = { [json]: { schema: components.read(ErrorBody) } };
  const rows = Object.entries(errorTable).map(([code, { status, meaning }]) => `- ${status} \`${code}\`: ${meaning}`);
  return {
    BadRequest: { description: "bad request", content },
    Failure: { description: `Every failure has this body; \`type\` is one of:\n${rows.join("\n")}`, content },
  };
}
