import fc from "fast-check";
import { expect, it } from "vitest";
import { changedFields } from "../../../../console/src/screens/me/profile-draft.ts";

const fields = fc.record({ first_name: fc.string(), last_name: fc.string(), email: fc.string() });

it("an own account is sent the fields that were changed, and null for one that was emptied", () => {
  const before = { first_name: "Nora", last_name: "", email: "nora@example.com" };
  expect(changedFields(before, before)).toEqual({});
  expect(changedFields(before, { ...before, email: " ", last_name: " North " })).toEqual({
    ...{ email: null, last_name: "North" },
  });
  fc.assert(
    fc.property(fields, (after) => {
      for (const [name, value] of Object.entries(changedFields(before, after))) {
        expect(value).toBe(after[name as keyof typeof after].trim() || null);
        expect(value ?? "").not.toBe(before[name as keyof typeof before]);
      }
    }),
  );
});
