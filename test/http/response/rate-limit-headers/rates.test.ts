import { expect, test } from "vitest";
import { addRateHeaders, rateHeaderNames } from "../../../../src/http/response/rate-limit-headers.ts";

const standing = { limit: 60, remaining: 59, resetsAt: 2_500 };

test("the headers that are exposed to web pages are those that are added", () => {
  const headers: Record<string, string> = {};
  addRateHeaders(headers, { at: 1_000, requests: standing, tokens: { limit: 9, remaining: 0, resetsAt: 500 } });
  expect(Object.keys(headers)).toEqual(rateHeaderNames);
  expect(Object.values(headers)).toEqual(["60", "59", "2", "9", "0", "0"]);
});

test("a window that the key has not is not told", () => {
  const headers: Record<string, string> = {};
  addRateHeaders(headers, { at: 1_000, requests: standing, tokens: undefined });
  expect(Object.keys(headers)).toEqual(rateHeaderNames.filter((name) => name.endsWith("-requests")));
});
