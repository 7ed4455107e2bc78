import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fillPath,
  readable,
  readObject,
  stepStates,
  type TaskStep,
} from "../../../../console/src/screens/tasks/task.ts";

const stepOf = (start_at: string | null, ended_at: string | null): TaskStep => ({
  ...{ id: 1, task_id: "t", description: "", method: "GET", path: "/a", start_at, ended_at },
});
const ended = stepOf("a", "b");
const begun = stepOf("a", null);
const fresh = stepOf(null, null);

describe("how far the steps of a task are", () => {
  it.each([
    ["draft", [fresh, fresh], ["waiting", "waiting"]],
    ["running", [ended, begun, fresh], ["done", "running", "waiting"]],
    ["done", [ended, ended], ["done", "done"]],
    ["failed", [ended, ended, fresh], ["done", "failed", "skipped"]],
    ["failed", [ended, begun, fresh], ["failed", "failed", "skipped"]],
    ["stopped", [ended, fresh], ["done", "skipped"]],
  ] as const)("is told of one that is %s", (state, steps, states) => {
    expect(stepStates({ state }, steps)).toEqual(states);
  });
});

it("a path takes any value and is read back, and a parameter without one stays", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), fc.string({ minLength: 1 }), (one, other) => {
      const path = fillPath("/a/{one}/b/{+other}", { one, other });
      const [, , first, , second, ...rest] = path.split("/");
      expect([first, second].map((part) => decodeURIComponent(part ?? ""))).toEqual([one, other]);
      expect(rest).toEqual([]);
    }),
  );
  expect(fillPath("/a/{one}/{two}", { two: "x" })).toBe("/a/{one}/x");
});

it("fields are an object or nothing", () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      expect(readObject(json)).toEqual(isObject ? value : undefined);
      expect(JSON.parse(readable(json))).toEqual(value);
    }),
  );
  expect([readObject(""), readObject("{"), readable("{")]).toEqual([{}, undefined, "{"]);
});
