import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type FieldSchema, kindOf, plainSchema, readField } from "../../../console/src/generic/schema.ts";
import { portalRows } from "../../../src/operations/portal/table.ts";

const schemaOf = (schema: z.ZodType): FieldSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as FieldSchema;

describe("the form of a schema", () => {
  it.each([
    ["flag", z.boolean()],
    ["number", z.int().min(1)],
    ["choice", z.enum(["a", "b"])],
    ["list", z.array(z.string())],
    ["text", z.string().max(3)],
    ["text", z.string().nullish()],
    ["json", z.record(z.string(), z.unknown())],
    ["json", z.array(z.object({ a: z.string() }))],
  ])("shows a %s", (kind, schema) => expect(kindOf(schemaOf(schema))).toBe(kind));

  it.each([
    [z.int().min(1).max(9), "12", { kind: "too_high", limit: 9 }],
    [z.int().min(1), "0", { kind: "too_low", limit: 1 }],
    [z.int(), "1.5", { kind: "number" }],
    [z.string().min(2), "x", { kind: "too_short", limit: 2 }],
    [z.string().max(2), "xyz", { kind: "too_long", limit: 2 }],
    [z.string().regex(/^[a-z]+$/), "A1", { kind: "pattern" }],
    [z.record(z.string(), z.unknown()), "{", { kind: "json" }],
    [z.string().min(1), "", { kind: "required" }],
  ])("says what is wrong with %#", (schema, typed, problem) =>
    expect(readField(schemaOf(schema), typed, true)).toEqual({ problem }),
  );

  it.each([
    [z.boolean(), "true", true],
    [z.number(), "1.5", 1.5],
    [z.array(z.string()), "a, b\nc", ["a", "b", "c"]],
    [z.array(z.int()), "1,2", [1, 2]],
    [z.record(z.string(), z.unknown()), '{"a":1}', { a: 1 }],
    [z.boolean(), "", false],
  ])("reads %#", (schema, typed, value) => expect(readField(schemaOf(schema), typed, true)).toEqual({ value }));

  it("leaves out what is not filled in", () => {
    expect(readField(schemaOf(z.int().optional()), "", false)).toEqual({ value: undefined });
  });

  it("has a kind for every field of every operation of the portal", () => {
    const fields = portalRows.flatMap(({ operation: { input } }) =>
      input === undefined ? [] : Object.entries(schemaOf(input).properties ?? {}),
    );
    expect(fields.length).toBeGreaterThan(150);
    for (const [name, field] of fields) {
      const kind = kindOf(field);
      if (kind === "choice") expect(plainSchema(field).enum, name).not.toHaveLength(0);
      expect(["flag", "choice", "number", "list", "instant", "json", "text"], name).toContain(kind);
    }
  });
});
