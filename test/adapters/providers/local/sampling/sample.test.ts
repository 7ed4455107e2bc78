import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sampleOf } from "../../../../../adapters/providers/local/sampling/sample.ts";
import { isGatewayError } from "../../../../../src/engine/errors.ts";

const name = fc.constantFrom("city", "days", "unit", "tags", "a b", "ä.b");
const anyText = fc.tuple(fc.option(fc.nat(300)), fc.option(fc.nat(300))).map(([least, more]) => {
  const string = least === null ? z.string() : z.string().min(least);
  return more === null ? string : string.max((least ?? 0) + more);
});
const anyNumber = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 9 }), fc.nat(3))
  .map(([low, width, kind]) => {
    if (kind === 0)
      return z
        .int()
        .min(low)
        .max(low + width);
    if (kind === 1) return z.number().gt(low);
    if (kind === 2) return z.number().lt(low);
    return z
      .int()
      .multipleOf(width + 1)
      .gte(low);
  });
const anyLeaf: fc.Arbitrary<z.ZodType> = fc.oneof(
  anyText,
  anyNumber,
  fc.constantFrom(z.boolean(), z.null(), z.email(), z.uuid(), z.iso.datetime(), z.iso.date(), z.url(), z.ipv4()),
  fc.constantFrom(z.literal("x"), z.literal(3), z.enum(["low", "high"]), z.string().regex(/^[A-Z]{2}-\d{3}$/)),
);

/** Any schema out of the parts that tools and structured outputs are described with. */
const { schema } = fc.letrec<{ schema: z.ZodType; object: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyLeaf,
    tie("object"),
    fc.tuple(tie("schema"), fc.nat(3)).map(([item, least]) => z.array(item).min(least)),
    fc.tuple(tie("schema"), tie("schema")).map((items) => z.tuple(items)),
    fc.tuple(tie("schema"), tie("schema")).map((options) => z.union(options)),
    tie("schema").map((inner) => inner.nullable()),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie("schema"), fc.boolean()), { selector: ([key]) => key, maxLength: 4 })
    .map((fields) => {
      const shape = fields.map(([key, inner, isOptional]) => [key, isOptional ? inner.optional() : inner]);
      return z.strictObject(Object.fromEntries(shape));
    }),
}));

const words = fc.string({ unit: "grapheme", maxLength: 300 });

describe("a value for a JSON schema", () => {
  it("is valid, whatever the schema and the user's words", () =>
    fc.assert(
      fc.property(schema, words, (type, text) => {
        const { value, missed } = sampleOf(z.toJSONSchema(type), text);
        expect(missed).toEqual([]);
        expect(type.safeParse(value).error).toBeUndefined();
      }),
      { numRuns: 1_000 },
    ));

  it("holds the user's words where a text is free", () => {
    const type = z.object({ city: z.string(), note: z.string().max(5), unit: z.enum(["c", "f"]) });
    const { value } = sampleOf(z.toJSONSchema(type), "Paris in June");
    expect(value).toEqual({ city: "Paris in June", note: "Paris", unit: "c" });
  });

  it("never cuts a character in two", () =>
    fc.assert(
      fc.property(fc.nat(9), fc.string({ unit: "grapheme" }), (most, text) => {
        const { value } = sampleOf({ type: "string", maxLength: most }, text);
        expect((value as string).length).toBeLessThanOrEqual(most);
        expect(() => encodeURIComponent(value as string)).not.toThrow();
      }),
    ));

  it("takes the names of built-in properties for what they are: names", () => {
    const properties = JSON.parse('{"__proto__":{"const":1},"constructor":{"const":2}}');
    const { value } = sampleOf(
      { type: "object", properties, required: ["__proto__", "constructor", "toString"] },
      "hi",
    );
    expect(JSON.stringify(value)).toBe('{"__proto__":1,"constructor":2,"toString":"hi"}');
  });

  it("leaves out what is optional", () => {
    expect(sampleOf({ type: "object", properties: { a: {}, b: {} }, required: ["b"] }, "hi").value).toEqual({
      b: "hi",
    });
  });

  it("follows references, and ends where they lead in a circle", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: { label: { type: "string" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
          required: ["label", "next"],
        },
      },
    };
    expect(sampleOf(tree, "leaf").value).toEqual({ label: "leaf", next: null });
  });

  it.each([
    ["not", { type: "string", not: { const: "hi" } }],
    ["if", { type: "object", if: {}, properties: {} }],
    ["uniqueItems", { type: "array", items: { type: "string" }, minItems: 2, uniqueItems: true }],
    ["minProperties", { type: "object", minProperties: 1 }],
    ["pattern", { type: "string", pattern: "^(?=a)" }],
    ["$ref", { anyOf: [{ $ref: "https://example.com/other" }, { type: "null" }] }],
  ])("names %s, which it cannot see to", (keyword, described) => {
    expect(sampleOf(described, "hi").missed).toEqual([keyword]);
  });

  it.each([
    ["a circle without an end", { $ref: "#" }],
    ["bounds that cross", { type: "integer", minimum: 5, maximum: 4 }],
    ["false", false],
    ["a type that does not exist", { type: "colour" }],
    ["a text longer than anybody reads", { type: "string", minLength: 1e9 }],
  ])("says so where nothing satisfies the schema: %s", (_title, described) => {
    const { value, missed } = sampleOf(described, "hi");
    expect(value).toBeNull();
    expect(missed.join()).toContain("nothing satisfies");
  });

  it.each([
    ["an array of a billion", { type: "array", items: { type: "null" }, minItems: 1e9 }],
    [
      "references that double at each step",
      Object.fromEntries([
        ["$ref", "#/$defs/d0"],
        [
          "$defs",
          Object.fromEntries([
            ["d30", { type: "null" }],
            ...Array.from({ length: 30 }, (_, n) => [
              `d${n}`,
              { type: "array", minItems: 2, items: { $ref: `#/$defs/d${n + 1}` } },
            ]),
          ]),
        ],
      ]),
    ],
  ])("refuses a schema that unfolds without end: %s", (_title, described) => {
    let thrown: unknown;
    try {
      sampleOf(described, "hi");
    } catch (error) {
      thrown = error;
    }
    expect(isGatewayError(thrown) && thrown.code).toBe("invalid_request");
  });

  it("never fails otherwise, whatever is put in place of a schema", () =>
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.constantFrom("type", "anyOf", "allOf", "properties", "required", "items", "enum", "$ref"),
        (json, keyword) => {
          const described: unknown = JSON.parse(json);
          sampleOf(described, "hi");
          sampleOf({ [keyword]: described }, "hi");
          sampleOf({ type: "object", required: ["a"], properties: { a: { [keyword]: described } } }, "hi");
        },
      ),
    ));
});
