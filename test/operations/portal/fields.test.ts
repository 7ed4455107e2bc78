import { describe, expect, it } from "vitest";
import { z } from "zod";
import { portalRows } from "../../../src/operations/portal/table.ts";

/** The fields of all operations that take an instant: texts of that form, and no others without any rule. */
const taking = portalRows.flatMap(({ area, name, operation: { input } }) => {
  const fields = input instanceof z.ZodObject ? Object.entries<z.ZodType>(input.shape) : [];
  const takes = (field: z.ZodType, text: string) => field.safeParse(text).success;
  return fields
    .filter(([, field]) => takes(field, "2026-11-22T12:00:00+01:00") && !takes(field, "no instant, but a text"))
    .map(([field, schema]) => ({ title: `${area}.${name}: ${field}`, schema }));
});

describe.each(taking)("an instant on the way in: $title", ({ schema }) => {
  it("is of the years that RFC 3339 can write, in UTC too", () => {
    const refused = ["0000-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01"];
    for (const text of refused) expect(schema.safeParse(text).success).toBe(false);
    const accepted = ["0000-01-01T00:00:00Z", "0000-01-01T01:00:00+01:00", "9999-12-31T23:59:59.999Z"];
    for (const text of accepted) expect(schema.safeParse(text).success).toBe(true);
  });
});

it("tokens, costs, tasks, backups and shared addresses take instants", () => {
  expect(new Set(taking.map(({ title }) => title.split(".")[0]))).toEqual(
    new Set(["ai", "tasks", "users", "me", "backups", "objectstore"]),
  );
});
