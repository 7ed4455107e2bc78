import { expect, it } from "vitest";
import { readGeminiFault } from "../../../../adapters/shared/gemini/faults.ts";

const faultOf = (details: unknown) => readGeminiFault({ error: { code: 429, message: "slow", details } });

it.each([null, "x", 5, [null], ["x"], [{}], [{ retryDelay: "soon" }], [{ retryDelay: "-1s" }]])(
  "details %j name no delay, and hide no fault",
  (details) => {
    expect(faultOf(details)).toEqual({ type: undefined, code: "429", message: "slow", retryAfterMs: undefined });
  },
);

it("the first delay among the details counts", () => {
  expect(faultOf([null, { reason: "x" }, { retryDelay: "1.2005s" }, { retryDelay: "9s" }])?.retryAfterMs).toBe(1_201);
});
