import { expect, test } from "vitest";
import { z } from "zod";
import { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { plainTest } from "../../../../src/engine/api/read-chat.ts";

/** Values around every bound that a field of a request has. */
const values = [
  ...[-2.001, -2, -1, -0, 0, 0.5, 1, 1.001, 2, 2.001, 19.5, 20, 21, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300],
  ...[Number.NaN, Infinity, -Infinity, true, false, null, undefined, "", "text", "x".repeat(2_048), "x".repeat(2_049)],
  ...[[], {}, 1n, Symbol("s"), () => 1, new Date(0), "1", "true"],
];

const plain = Object.entries<z.ZodType>(ChatRequest.shape).flatMap(([name, schema]) => {
  const isPlain = plainTest(schema);
  return isPlain ? [{ name, schema, isPlain }] : [];
});

test("most fields of a request are plain", () => {
  expect(plain.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["model", "temperature", "max_completion_tokens", "seed", "stream", "user"]),
  );
});

test.each(plain)("$name is told as its schema tells it", ({ schema, isPlain }) => {
  for (const value of values) {
    const result = schema.safeParse(value);
    expect(isPlain(value), String(value)).toBe(result.success && value !== undefined);
    if (result.success) expect(result.data).toBe(value);
  }
});

test.each([
  ["a pattern", z.string().regex(/a/)],
  ["a form", z.email()],
  ["a least length", z.string().min(1)],
  ["a change of the value", z.string().trim()],
  ["an open bound", z.number().gt(0)],
  ["steps", z.number().multipleOf(2)],
  ["a rule of its own", z.number().refine((value) => value !== 3)],
  ["a default", z.boolean().default(true)],
  ["a list", z.array(z.string())],
])("a schema with %s is left to itself", (_what, schema) => {
  expect(plainTest(schema)).toBeUndefined();
});
