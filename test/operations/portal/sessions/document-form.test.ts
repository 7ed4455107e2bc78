import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errorTable } from "../../../../src/engine/errors.ts";
import { dialectRows } from "../../../../src/http/dialects/rows.ts";
import { dialectSchemas } from "../../../../src/http/dialects/schemas.ts";
import type { OperationTable } from "../../../../src/operations/define.ts";
import { describeOperations } from "../../../../src/operations/document/openapi.ts";
import { inference, inferenceSchemas } from "../../../../src/operations/inference.ts";
import { sessionSchemas, sessionTable } from "../../../../src/operations/portal/sessions.ts";
import { portalSchemas, portalTable } from "../../../../src/operations/portal/table.ts";
import { type DescribedOperation, partsOf, type FormSchema as Schema, within } from "../../support/document-schema.ts";

/** Every rule about the form of the document that generators of clients need, one by one, over both faces. */

const faces = {
  inference: { table: { ...inference, ...dialectRows }, schemas: { ...inferenceSchemas, ...dialectSchemas } },
  portal: { table: { ...portalTable, ...sessionTable }, schemas: { ...portalSchemas, ...sessionSchemas } },
};

describe.each(Object.entries(faces))("%s", (face, { table, schemas: named }) => {
  const document = describeOperations({ title: face, version: "1.0.0", table, schemas: named });
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as DescribedOperation[]);
  const bodies = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part, at) =>
      Object.entries(part?.content ?? {}).map(([type, content]) => ({
        where: `${operationId} ${at}`,
        type,
        isRequest: at === 0,
        ...content,
      })),
    ),
  );
  const parameters = operations.flatMap((operation) =>
    (operation.parameters ?? []).map((row) => ({ where: `${operation.operationId}?${row.name}`, ...row })),
  );
  const roots = [...Object.entries(schemas).map(([where, schema]) => ({ where, schema })), ...bodies, ...parameters];
  const all = roots.flatMap(within);
  const resolve = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : (schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  const broken = (isBroken: (schema: Schema) => boolean) =>
    all.filter(({ schema }) => isBroken(schema)).map(({ where }) => where);
  const membersOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []).filter(({ type }) => type !== "null");

  test("there is something to look at", () => {
    expect(operations.length).toBe(Object.keys(table).length);
    expect(all.length).toBeGreaterThan(800);
  });

  test("every number has a width", () => {
    const widths: Readonly<Record<string, readonly string[]>> = { integer: ["int32", "int64"], number: ["double"] };
    expect(broken(({ type, format = "" }) => !(widths[String(type)]?.includes(format) ?? true))).toEqual([]);
  });

  test("a type is one type, no list of types", () => {
    expect(broken(({ type }) => Array.isArray(type))).toEqual([]);
  });

  test("no union is directly or inside in a union of the same component", () => {
    const isUnion = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf) !== undefined;
    const nested = all.filter(
      (found) =>
        isUnion(found.schema) &&
        partsOf(found)
          .flatMap(within)
          .some(({ schema }) => isUnion(schema)),
    );
    expect(nested.map(({ where }) => where)).toEqual([]);
  });

  test("no property is called additionalProperties", () => {
    expect(broken(({ properties = {} }) => "additionalProperties" in properties)).toEqual([]);
  });

  test("an enum's values are different names in a language of constants, or bring names", () => {
    const constant = (value: unknown) =>
      String(value)
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, "_");
    const isUnclear = ({ enum: values = [], "x-enum-varnames": names }: Schema) =>
      new Set((names ?? values).map(constant)).size !== values.length;
    expect(broken(isUnclear)).toEqual([]);
  });

  test("members of a union are primitive or have a name", () => {
    const isInline = (member: Schema) => member.$ref === undefined && ["object", "array"].includes(String(member.type));
    expect(broken((schema) => membersOf(schema).length > 1 && membersOf(schema).some(isInline))).toEqual([]);
  });

  test("a union whose members a constant tells apart has a discriminator that names them all, and no other union has one", () => {
    const constantsOf = (member: Schema, field: string) => {
      const part = member.required?.includes(field) ? member.properties?.[field] : undefined;
      return part?.const === undefined ? (part?.enum ?? []) : [part.const];
    };
    const isWrong = (schema: Schema) => {
      const members = membersOf(schema).map(resolve);
      if (members.length < 2) return schema.discriminator !== undefined;
      const told = Object.keys(members[0]?.properties ?? {}).filter((field) => {
        const constants = members.map((member) => constantsOf(member, field));
        const flat = constants.flat();
        return constants.every(({ length }) => length > 0) && new Set(flat).size === flat.length;
      });
      const { propertyName = "", mapping = {} } = schema.discriminator ?? {};
      if (told.length === 0) return schema.discriminator !== undefined;
      const wanted = members.flatMap((member) => constantsOf(member, propertyName));
      return !told.includes(propertyName) || wanted.length !== Object.keys(mapping).length;
    };
    expect(broken(isWrong)).toEqual([]);
  });

  test("objects have names: in fields, in lists and as bodies", () => {
    const inline = all.filter(({ where, schema }) => !(where in schemas) && schema.properties !== undefined);
    expect(inline.map(({ where }) => where)).toEqual([]);
  });

  test("every operation has an identifier of letters and digits that is no other's, also with what generators put behind it", () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const taken = new Set(Object.keys(schemas).map((name) => name.toLowerCase()));
    const suffixes = ["Request", "Response", "Responses", "Error", "Errors", "Data", "Params", "Body", "Result"];
    const clash = names
      .flatMap((name) => suffixes.map((suffix) => name + suffix))
      .filter((name) => taken.has(name.toLowerCase()));
    expect(clash).toEqual([]);
  });

  test("names of schemas differ in more than their case", () => {
    const names = Object.keys(schemas);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  test("every operation has a tag that the document describes, and a description", () => {
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    const lacking = operations.filter(
      ({ tags: own = [], description = "" }) => own.length !== 1 || !tags.get(own[0] ?? "") || description.length < 20,
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
    expect([...tags].filter(([name, description]) => description === name)).toEqual([]);
  });

  test("every field and every parameter has a description", () => {
    const fields = all.flatMap(({ where, schema: { properties = {} } }) =>
      Object.entries(properties).map(([name, part]) => ({ where: `${where}.${name}`, ...part })),
    );
    const lacking = [...fields, ...parameters].filter(({ description }) => !description);
    expect(lacking.map(({ where }) => where)).toEqual([]);
  });

  test("every request and every answer has an example, which the server's own schema accepts", () => {
    const rows: OperationTable = table;
    const wrong = operations.flatMap(({ operationId, requestBody, responses, ...described }) => {
      const { input, output } = rows[described["x-operation"]] ?? {};
      const sides = [
        { side: "in", schema: input, content: requestBody?.content["application/json"] },
        { side: "out", schema: output, content: responses[200]?.content?.["application/json"] },
      ];
      return sides.flatMap(({ side, schema, content }) => {
        const error = content && schema?.safeParse(content.example).error;
        return error || (content && content.example === undefined) ? [`${operationId} ${side} ${error?.message}`] : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("an answer is never a type that could not be written", () => {
    for (const [name, { output, stream, failure }] of Object.entries(table))
      for (const schema of [output, stream, failure])
        expect(() => schema && z.toJSONSchema(schema, { io: "output" }), name).not.toThrow();
  });

  test("fields with a default may be left out of a request and are there in every answer", () => {
    const isTwice = Object.keys(schemas).filter((name) => `${name}Input` in schemas);
    for (const name of isTwice)
      expect(schemas[name]?.required?.length ?? 0, name).toBeGreaterThanOrEqual(
        schemas[`${name}Input`]?.required?.length ?? 0,
      );
    if (face === "portal") expect(isTwice).toEqual(expect.arrayContaining(["Budget", "ProviderConfig"]));
  });

  test("failures are described by class, each with its codes and headers", () => {
    const responses = document.components.responses as Readonly<
      Record<string, { description: string; headers: object }>
    >;
    const texts = Object.values(responses).map(({ description }) => description);
    for (const code of Object.keys(errorTable))
      expect(texts.filter((text) => text.includes(`\`${code}\``)).length, code).toBe(1);
    for (const response of Object.values(responses)) expect(response.headers).toHaveProperty("x-tg-event-id");
    expect(responses.TooManyRequests?.headers).toHaveProperty("retry-after");
    expect(responses.TooManyRequests?.headers).toHaveProperty("x-ratelimit-remaining-tokens");
    expect(responses.Failure?.headers).toHaveProperty("allow");
    expect(responses.Unauthorized?.headers).toHaveProperty("www-authenticate");
  });

  test("the codes of errors are an open list", () => {
    const { ErrorBody } = schemas;
    expect(ErrorBody?.properties?.type).toMatchObject({ type: "string", "x-extensible-enum": Object.keys(errorTable) });
  });
});

/** Parameters of texts, whose numbers are written in the reader's language. */
const allowed = new Set(["ErrorBodyError.params.*", "Notification.params.*"]);

test("the portal's own shapes have no unions", () => {
  const { table, schemas: named } = faces.portal;
  const document = describeOperations({ title: "portal", version: "1.0.0", table, schemas: named });
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const own = Object.entries(schemas).filter(
    ([name]) => !/^(?:Json|Chat|Content|Tool|FunctionParameters|Reasoning|AiPlaygroundInput[MST])/.test(name),
  );
  const unions = own
    .flatMap(([where, schema]) => within({ where, schema }))
    .filter(
      ({ where, schema }) =>
        (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null").length > 1 && !allowed.has(where),
    );
  expect(unions.map(({ where }) => where)).toEqual([]);
});
