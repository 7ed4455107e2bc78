import { expect, it } from "vitest";
import { applySteps } from "../../../../adapters/clouds/local/kubernetes/patch.ts";

it.each([
  [{ op: "add", path: "/a/b/c", value: 1 }],
  [{ op: "add", path: "/none/b", value: 1 }],
  [{ op: "replace", path: "/none", value: 1 }],
  [{ op: "remove", path: "/list/9" }],
  [{ op: "test", path: "/a/b", value: 2 }],
])("a patch of which a step does not fit (%j) changes nothing", (step) => {
  const value = { a: { b: 1 }, list: [1] };
  expect(applySteps(value, [{ op: "add", path: "/new", value: 1 }, step])).toBeUndefined();
  expect(value).toEqual({ a: { b: 1 }, list: [1] });
});
