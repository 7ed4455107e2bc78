import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { invoke } from "../../../src/operations/invoke.ts";
import { components, describedRows } from "../support/document.ts";
import { type Schema, valuesOf } from "../support/from-schema.ts";

const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);

/** What an operation without a region is told. */
const region = "eu-1";

/** Values that the schema itself takes too: a few have rules that JSON Schema cannot say. */
function valid(described: Schema | undefined, schema: z.ZodType | undefined): fc.Arbitrary<unknown> {
  if (!described || !schema) return fc.constant(undefined);
  return valuesOf(described, components).filter((value) => schema.safeParse(value).success);
}

describe.each(describedRows.map((row) => [row.id, row] as const))("%s", (name, { operation, input, output }) => {
  const permissions = new Set([operation.access]);
  const params = fc.record(Object.fromEntries(operation.params.map((param) => [param, segment])), {
    noNullPrototype: true,
  });
  const fields = valid(input, operation.input);
  const answers = valid(output, operation.output);

  it("takes any valid input and gives any valid answer, unchanged", async () => {
    const carried = fc.asyncProperty(params, fields, answers, async (param, field, answer) => {
      const given = { ...(field as object), ...param };
      let taken: unknown;
      const method = (received: unknown) => {
        taken = received;
        return answer;
      };
      expect(await invoke({ name, operation, input: given, permissions, region }, method)).toEqual(
        operation.output?.parse(answer), // with its defaults
      );
      expect(taken).toEqual({ ...(operation.input?.parse(field ?? {}) as object), ...param });
    });
    await fc.assert(carried, { numRuns: 15 });
  });

  it("without its permission nothing is done", async () => {
    const others = new Set(["x-get", "ai-get", "backups-get"].filter((other) => other !== operation.access));
    const method = () => expect.unreachable("the method was called");
    const call = invoke({ name, operation, input: {}, permissions: others, region }, method);
    await expect(call).rejects.toMatchObject({ code: "permission_denied", param: operation.access });
  });

  it("a field that it does not know is refused by name, and nothing is done", async () => {
    const [known] = fc.sample(fields, 1);
    const [param] = fc.sample(params, 1);
    const given = { ...(known as object), ...param, surprise: 1 };
    const call = invoke({ name, operation, input: given, permissions, region }, () => expect.unreachable());
    await expect(call).rejects.toMatchObject({ code: "invalid_request", param: "surprise" });
  });
});
