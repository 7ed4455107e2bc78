import { expect, test } from "vitest";
import { choicesOf } from "../../../console/src/generic/elements.ts";

test("values are chosen from rows by their names, from texts, and from a list within an object", () => {
  const rows = [{ id: "a", name: "First" }, { id: "b" }, { name: "without an id" }, { id: 7, name: "" }];
  const choices = [
    ["a", "First"],
    ["b", "b"],
    ["7", "7"],
  ];
  expect(choicesOf(rows, "id", "name")).toEqual(choices);
  expect(choicesOf({ volumes: rows }, "volumes.id", "volumes.name")).toEqual(choices);
  expect(choicesOf(["x", "y"], "value", "value")).toEqual([
    ["x", "x"],
    ["y", "y"],
  ]);
  const nested = [{ metadata: { name: "n" }, spec: { namespace: "garden-n" } }];
  expect(choicesOf(nested, "spec.namespace", "metadata.name")).toEqual([["garden-n", "n"]]);
  for (const other of [undefined, {}, { volumes: "none" }, "text"])
    expect(choicesOf(other, "volumes.id", "x")).toEqual([]);
});
