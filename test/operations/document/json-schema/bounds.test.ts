import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DecisionListRequest, DecisionMapRequest } from "../../../../src/engine/api/decisions.ts";
import { RateLimit, VirtualKeyDraft } from "../../../../src/engine/api/governance.ts";
import { CohereEmbedRequest } from "../../../../src/http/dialects/cohere/schema.ts";
import { GenaiEmbedRequest, GenaiRequest } from "../../../../src/http/dialects/genai/schema.ts";
import { type JsonSchema, writeSchemas } from "../../../../src/operations/document/json-schema.ts";

/** A schema as our documents write it. */
function written(schema: z.ZodType): JsonSchema {
  const { components } = writeSchemas({ Asked: schema }, []);
  return components.Asked ?? {};
}

describe("what a document says is what the server holds to", () => {
  const noul = { kind: "noul" };
  const parts = [{ text: "x" }];
  const cases: [string, z.ZodType, { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }][] = [
    [
      "questions by name",
      DecisionMapRequest,
      {
        good: [{ model: "a/m", questions: { q: noul } }],
        bad: [{ model: "a/m", questions: {} }],
      },
    ],
    [
      "options of a choice by name",
      DecisionMapRequest.shape.questions,
      {
        good: [{ q: { kind: "choice", criteria: { a: null } } }, { q: { kind: "score", criteria: ["a", "b"] } }],
        bad: [
          { q: { kind: "choice", criteria: {} } },
          { q: { kind: "choice", criteria: Object.fromEntries(Array.from({ length: 256 }, (_, n) => [n, null])) } },
          { q: { kind: "score", criteria: ["a", "a"] } },
        ],
      },
    ],
    [
      "questions in order",
      DecisionListRequest,
      {
        good: [{ model: "a/m", input: "x", questions: [{ type: "predicate" }] }],
        bad: [{ model: "a/m", input: "x", questions: [] }],
      },
    ],
    [
      "roles of /genai",
      GenaiRequest,
      {
        good: ["user", "model", "function", "tool", undefined].map((role) => ({ contents: [{ role, parts }] })),
        bad: ["assistant", "system", ""].map((role) => ({ contents: [{ role, parts }] })),
      },
    ],
    [
      "roles of what has none to choose",
      z.union([GenaiRequest, GenaiEmbedRequest]),
      { good: [{ contents: [], systemInstruction: { role: "system", parts } }, { content: { role: "any" } }], bad: [] },
    ],
    [
      "embedding_types",
      CohereEmbedRequest,
      {
        good: [{ model: "a/m", texts: ["x"], embedding_types: ["float", "base64"] }],
        bad: [{ model: "a/m", texts: ["x"], embedding_types: ["float", "int8"] }],
      },
    ],
    [
      "tags of a key",
      VirtualKeyDraft,
      {
        good: [{ name: "k", metadata: { a: "b" } }],
        bad: [{ name: "k", metadata: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`t${n}`, "x"])) }],
      },
    ],
  ];

  test.each(cases)("%s", (_name, schema, { good, bad }) => {
    const document = z.fromJSONSchema(withoutPairs(written(schema)));
    for (const value of good)
      expect([value, schema.safeParse(value).success, read(document, value)]).toEqual([value, true, true]);
    for (const value of bad)
      expect([value, schema.safeParse(value).success, read(document, value)]).toEqual([value, false, false]);
  });

  test("pairs of a rate limit", () => {
    const { dependentRequired, anyOf } = written(RateLimit) as {
      readonly dependentRequired: Readonly<Record<string, readonly string[]>>;
      readonly anyOf: readonly { readonly required: readonly string[] }[];
    };
    const names = [...Object.keys(dependentRequired), "user"];
    for (let bits = 0; bits < 2 ** names.length; bits++) {
      const given = names.filter((_, at) => bits & (1 << at));
      const limit = Object.fromEntries(
        given.map((name) => [name, name.endsWith("limit") ? 1 : name === "user" ? "ann" : "1m"]),
      );
      const isSaid =
        anyOf.some(({ required }) => required.every((name) => given.includes(name))) &&
        given.every((name) => (dependentRequired[name] ?? []).every((other) => given.includes(other)));
      expect([given, RateLimit.safeParse(limit).success]).toEqual([given, isSaid]);
    }
  });
});

/** A schema as zod reads it back: all but `dependentRequired`, which the pairs have a test of their own for. */
function withoutPairs(schema: JsonSchema): z.core.JSONSchema.JSONSchema {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === "dependentRequired" ? undefined : value)));
}

/** As JSON comes: what is undefined is not there. */
function read(document: z.ZodType, value: unknown): boolean {
  return document.safeParse(JSON.parse(JSON.stringify(value))).success;
}
