import { expect, test } from "vitest";
import { z } from "zod";
import { errorTable } from "../../../src/engine/errors.ts";
import { dialectRows } from "../../../src/http/dialects/rows.ts";
import { dialectSchemas } from "../../../src/http/dialects/schemas.ts";
import { type OperationTable, op } from "../../../src/operations/define.ts";
import { describeOperations } from "../../../src/operations/document/openapi.ts";
import { inference, inferenceSchemas } from "../../../src/operations/inference.ts";
import { portalDocument as wholePortal } from "../../portal/support/document.ts";

const inferenceDocument = describeOperations({
  title: "Inference",
  version: "1.0.0",
  table: inference,
  schemas: inferenceSchemas,
});

const Backup = z.object({ id: z.string(), size: z.number() });
const portal: OperationTable = {
  get: op("GET /backup/{backup_id}", "backup-get", "Read one backup", { out: Backup }),
  list: op("GET /backups", "backups-get", "List", { in: { show_all: z.boolean().optional() }, out: z.array(Backup) }),
  extend: op("PATCH /backup/{backup_id}/extend", "extend_backup_time-patch", "Extend", { in: { ttl: z.string() } }),
  refresh: op("POST /backup", "create_backup-post", "Refresh", {
    in: { force: z.boolean().optional() },
    isExtension: true,
  }),
};
const portalDocument = describeOperations({ title: "Portal", version: "1.0.0", table: portal, schemas: { Backup } });

/** Every `$ref` of a document. */
function refsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(refsOf)];
}

function resolve(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);
}

const familyDocument = describeOperations({
  title: "Families",
  version: "1.0.0",
  table: dialectRows,
  schemas: { ...inferenceSchemas, ...dialectSchemas },
});

test.each([
  ["inference", inferenceDocument],
  ["families'", familyDocument],
  ["portal", portalDocument],
  ["whole portal's", wholePortal],
])("every $ref of the %s document resolves inside it, and no component is left unused", (_name, document) => {
  const refs = refsOf(document);
  expect(refs.length).toBeGreaterThan(5);
  expect(refs.filter((ref) => !ref.startsWith("#/components/") || resolve(document, ref) === undefined)).toEqual([]);
  const schemas = Object.keys(document.components.schemas as object);
  expect(schemas.filter((name) => !refs.includes(`#/components/schemas/${name}`))).toEqual([]);
});

test("no schema keeps its own dialect, identifier or definitions", () => {
  expect(JSON.stringify(inferenceDocument)).not.toMatch(/"\$(schema|id|defs)"/);
});

test("every row is there under its path and method, once", () => {
  for (const [name, { method, path }] of Object.entries(inference)) {
    expect(inferenceDocument.paths[path.replace("{+", "{")]?.[method.toLowerCase()]).toMatchObject({
      "x-operation": name,
    });
  }
  const count = Object.values(inferenceDocument.paths).flatMap((item) => Object.keys(item)).length;
  expect(count).toBe(Object.keys(inference).length);
});

test("a streaming operation answers JSON or events", () => {
  expect(inferenceDocument.paths["/v1/chat/completions"]?.post).toMatchObject({
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/ChatRequest" } } },
    },
    responses: {
      200: {
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/ChatResponse" } },
          "text/event-stream": { schema: { $ref: "#/components/schemas/ChatChunk" } },
        },
      },
    },
  });
});

test("bounds of the specification are in the document", () => {
  const { ChatRequest } = inferenceDocument.components.schemas as Record<
    string,
    { properties: Record<string, unknown> }
  >;
  expect(ChatRequest?.properties.temperature).toMatchObject({
    type: "number",
    format: "double",
    minimum: 0,
    maximum: 2,
  });
  expect(ChatRequest?.properties.seed).toMatchObject({ type: "integer", format: "int64" });
});

test("the input of a GET is its query", () => {
  const { models } = Object.fromEntries(
    Object.values(inferenceDocument.paths).map(({ get }) => [
      (get as { "x-operation": string } | undefined)?.["x-operation"],
      get,
    ]),
  );
  expect(models).toMatchObject({
    parameters: [
      { name: "page_size", in: "query", required: false, schema: { type: "integer", format: "int64", minimum: 0 } },
      { name: "page_token", in: "query", required: false, schema: { type: "string" } },
      { name: "provider", in: "query", required: false, schema: { type: "string" } },
    ],
  });
  expect(models).not.toHaveProperty("requestBody");
});

test("every operation documents its two error responses with the one error body", () => {
  for (const item of Object.values(inferenceDocument.paths)) {
    for (const operation of Object.values(item)) {
      expect(operation).toMatchObject({
        responses: {
          400: { $ref: "#/components/responses/BadRequest" },
          default: { $ref: "#/components/responses/Failure" },
        },
      });
    }
  }
  const { BadRequest, Failure } = inferenceDocument.components.responses as Record<string, { description: string }>;
  expect(BadRequest).toMatchObject({
    content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
  });
  expect(Failure?.description).toContain("503 `overloaded`");
  const all = Object.values(inferenceDocument.components.responses as object).map(({ description }) => description);
  for (const code of Object.keys(errorTable)) expect(all.join("\n")).toContain(`\`${code}\``);
});

test("who may call is a security requirement: nobody asked, a virtual key in one of its headers, or a token", () => {
  expect(inferenceDocument.paths["/health"]?.get).toMatchObject({ security: [] });
  expect(inferenceDocument.paths["/v1/rerank"]?.post).toMatchObject({
    security: [
      { "x-tg-key": [] },
      { authorization: [] },
      { "x-api-key": [] },
      { "x-goog-api-key": [] },
      { "api-key": [] },
    ],
  });
  expect(inferenceDocument.components.securitySchemes).toMatchObject({
    "x-tg-key": { type: "apiKey", in: "header", name: "x-tg-key" },
    authorization: { type: "http", scheme: "bearer" },
  });
  expect(Object.keys(portalDocument.components.securitySchemes as object)).toEqual(["auth-token"]);
});

test("rows of the portal fit: permission, region, path parameters, 204, extensions, optional bodies", () => {
  expect(portalDocument.paths["/backup/{backup_id}/extend"]?.patch).toMatchObject({
    "x-permission": "extend_backup_time-patch",
    security: [{ "auth-token": [] }],
    parameters: [
      { name: "backup_id", in: "path", required: true },
      { name: "region", in: "header", required: true },
    ],
    requestBody: { required: true },
    responses: { 204: {} },
  });
  expect(portalDocument.paths["/backup"]?.post).toMatchObject({
    "x-extension": true,
    requestBody: { required: false },
  });
  expect(portalDocument.paths["/backups"]?.get).toMatchObject({
    responses: {
      200: {
        content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Backup" } } } },
      },
    },
  });
});

test("a rest of the path is an ordinary parameter of the document, whatever stands behind it", () => {
  const path = "/genai/v1beta/models/{model}:generateContent";
  expect(familyDocument.paths[path]?.post).toMatchObject({
    operationId: "genaiGenerate",
    parameters: [{ name: "model", in: "path", required: true }],
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/GenaiRequest" } } } },
  });
  expect(Object.keys(familyDocument.paths).filter((known) => known.includes("+"))).toEqual([]);
});

test("no name of a schema and no name of a row is used twice", () => {
  const names = Object.keys({ ...dialectSchemas });
  expect(names.filter((name) => name in inferenceSchemas)).toEqual([]);
  expect(Object.keys(dialectRows).filter((name) => name in inference)).toEqual([]);
});

test("operations that begin work document the header with its id", () => {
  const paths = Object.values(wholePortal.paths) as Record<string, Record<string, unknown>>[];
  const rows = paths.flatMap((methods) => Object.values(methods)).filter((row) => "x-operation" in row);
  const withJob = rows.filter(({ responses }) => JSON.stringify(responses).includes('"x-tg-job":{"description":'));
  expect(withJob.map((row) => row["x-operation"])).toEqual([
    "backups.restore",
    "backups.restoreImage",
    "backups.restoreVolume",
    "iaas.deleteProject",
  ]);
});
