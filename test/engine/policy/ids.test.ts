import { expect, it } from "vitest";
import { idEntropy, isIdOf, makeId } from "../../../src/engine/policy/ids.ts";

it.each(["key", "project", "customer"] as const)("an id of a %s is known as one, and as no other's", (kind) => {
  const id = makeId(kind, new Uint8Array(idEntropy).fill(0xab));
  const kinds = ["key", "project", "customer"] as const;
  expect(kinds.filter((each) => isIdOf(each, id))).toEqual([kind]);
  expect([`${id} `, `x${id}`, id.slice(0, 3), "ci"].filter((text) => isIdOf(kind, text))).toEqual([]);
});
