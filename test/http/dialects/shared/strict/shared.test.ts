import { expect, test } from "vitest";
import { finishReasonOf } from "../../../../../src/engine/dialects/finish-reason.ts";
import { parseArguments } from "../../../../../src/engine/runtime/json/exact-json.ts";
import { isWholeObject } from "../../../../../src/http/dialects/shared/arguments.ts";
import { contentOf } from "../../../../../src/http/dialects/shared/content.ts";
import { isBare, isPacked, packDetail, unpackDetail } from "../../../../../src/http/dialects/shared/envelope.ts";
import { schemaFormat } from "../../../../../src/http/dialects/shared/strict.ts";
import { readVector, writeFloats } from "../../../../../src/http/dialects/shared/vectors.ts";

test("arguments are an object or nothing; long numbers keep their digits", () => {
  expect(parseArguments("")).toEqual({});
  expect(parseArguments(undefined)).toEqual({});
  expect(parseArguments("null")).toEqual({});
  for (const text of ["[1]", "1", '"a"', "{", "{} {}"]) expect(parseArguments(text)).toBeUndefined();
  const long = '{"id":12345678901234567890,"small":1e-7}';
  expect(JSON.stringify(parseArguments(long))).toBe(long);
});

test("a whole object is one that nothing can follow", () => {
  expect(['{"a":1}', '{"a":1} \n', "{}"].map(isWholeObject)).toEqual([true, true, true]);
  expect(["", '{"a":"}', "[]", "1", "{}1"].map(isWholeObject)).toEqual([false, false, false, false, false]);
});

test("a packed detail comes back with the text that was told beside it", () => {
  const detail = { type: "reasoning.text" as const, index: 2, signature: "s", format: "x", extra: [1] };
  const packed = packDetail(detail);
  expect(packed).toMatch(/^[A-Za-z0-9+/=]+$/);
  expect(isPacked(packed)).toBe(true);
  expect(unpackDetail(packed, "")).toEqual(detail);
  expect(unpackDetail(packed, "hm")).toEqual({ ...detail, text: "hm" });
  expect(unpackDetail(packDetail({ type: "reasoning.summary" }), "hm")).toEqual({
    type: "reasoning.summary",
    summary: "hm",
  });
});

test("what was not packed, or was broken on the way, is no detail", () => {
  expect(unpackDetail("c2lnbmF0dXJl", "")).toBeUndefined();
  const packed = packDetail({ type: "reasoning.text" });
  expect(unpackDetail(packed.slice(0, 20), "")).toBeUndefined();
  const other = packDetail({ type: "else" } as never);
  expect(unpackDetail(other, "")).toBeUndefined();
});

test("a detail is bare when nothing but its text and its place is there", () => {
  expect(isBare({ type: "reasoning.text", index: 1 })).toBe(true);
  expect(isBare({ type: "reasoning.text", format: "own" }, "own")).toBe(true);
  expect(isBare({ type: "reasoning.text", format: "other" }, "own")).toBe(false);
  expect(isBare({ type: "reasoning.text", signature: "s" })).toBe(false);
  expect(isBare({ type: "reasoning.encrypted" })).toBe(false);
});

test.each([
  ["stop", false, "stop"],
  ["stop", true, "tool_calls"],
  ["eos", true, "tool_calls"],
  [null, false, "stop"],
  ["function_call", true, "tool_calls"],
  ["length", true, "length"],
  ["content_filter", false, "content_filter"],
  ["error", true, "error"],
])("%s with calls %s ends as %s", (reason, hasCalls, finish) => {
  expect(finishReasonOf(reason, hasCalls)).toBe(finish);
});

test("a schema is strict where all its objects are closed and require all they have", () => {
  const isStrict = (schema: Record<string, unknown>) => schemaFormat(schema).json_schema.strict === true;
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(isStrict(closed)).toBe(true);
  expect(isStrict({ type: "array", items: closed })).toBe(true);
  expect(isStrict({ ...closed, required: [] })).toBe(false);
  expect(isStrict({ ...closed, additionalProperties: true })).toBe(false);
  expect(isStrict({ type: "object" })).toBe(false);
  expect(isStrict({ anyOf: [closed, { ...closed, required: undefined }] })).toBe(false);
});

test("vectors are read from numbers and from base64, and written as float32", () => {
  expect(readVector([1, 2])).toEqual([1, 2]);
  expect(readVector(writeFloats([0.25, -0.5]))).toEqual([0.25, -0.5]);
  expect(() => readVector([[1], [2]])).toThrow(/several vectors/);
});

test("a lone plain text is a string; a marked one and several are parts", () => {
  const text = { type: "text" as const, text: "a" };
  expect(contentOf([text])).toBe("a");
  expect(contentOf([])).toBe("");
  expect(contentOf([text, text])).toEqual([text, text]);
  const marked = { ...text, cache_control: { type: "ephemeral" as const } };
  expect(contentOf([marked])).toEqual([marked]);
});
