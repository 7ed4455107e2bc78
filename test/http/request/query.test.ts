import { expect, test } from "vitest";
import { parseQuery } from "../../../src/http/request/query.ts";

test("parameters are decoded, a repeated one is an array", () => {
  expect({ ...parseQuery("a=1&b=x%20y+z&a=2&c&d=") }).toEqual({ a: ["1", "2"], b: "x y z", c: "", d: "" });
});

test("nothing asked is nothing there", () => {
  expect(Object.keys(parseQuery(""))).toEqual([]);
});

test("broken percent-encoding does not throw", () => {
  expect(parseQuery("a=%E0%A4&b=%").b).toBe("%");
});

test("no name reaches a prototype", () => {
  const query = parseQuery("__proto__=x&constructor=y&toString=z");
  expect(Object.getPrototypeOf(query)).toBeNull();
  expect(Object.hasOwn(query, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});
