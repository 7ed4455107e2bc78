import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { scriptedEngine } from "../../../src/testing/engine.ts";

const ask = { model: "a/m", messages: [{ role: "user" as const, content: "How warm?" }] };
const schema = z.object({ degrees: z.number(), place: z.string().optional() });

function engineSaying(...texts: string[]) {
  return scriptedEngine({ "a/m": texts.map((text) => ({ kind: "answer" as const, text })) });
}

it("a value has the type of its zod schema", async () => {
  const { object, repairs, cost, answer } = await engineSaying('{"degrees":21}').object({ ...ask, schema });
  expectTypeOf(object).toEqualTypeOf<{ degrees: number; place?: string | undefined }>();
  expect({ object, repairs }).toEqual({ object: { degrees: 21 }, repairs: 0 });
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBe(answer.usage?.cost?.total_cost);
});

it("takes a JSON Schema, and a text between fences", async () => {
  const json = { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] };
  const { object } = await engineSaying('```json\n{"degrees":2}\n```').object({ ...ask, schema: json });
  expect(object).toEqual({ degrees: 2 });
});

it("a value that does not satisfy the schema is repaired once, and both answers are paid", async () => {
  const engine = engineSaying('{"degrees":"warm"}', '{"degrees":3}');
  const { object, repairs, cost, answer } = await engine.object({ ...ask, schema });
  expect({ object, repairs }).toEqual({ object: { degrees: 3 }, repairs: 1 });
  expect(cost).toBeGreaterThan(answer.usage?.cost?.total_cost ?? Infinity);
  expect(engine.calls).toEqual(["a/m", "a/m"]);
});

it("what repairs do not help is the provider's failure, and names the field", async () => {
  const engine = engineSaying('{"degrees":"warm"}');
  await expect(engine.object({ ...ask, schema })).rejects.toMatchObject({
    code: "upstream_invalid_response",
    message: expect.stringContaining("`degrees`"),
  });
  expect(engine.calls).toHaveLength(2);
  await expect(engine.object({ ...ask, schema, repairs: 0 })).rejects.toThrow();
  expect(engine.calls).toHaveLength(3);
});

it.each([
  ["schema", { schema: 3 }],
  ["schema", { schema: { type: "nonsense" } }],
  ["repairs", { schema, repairs: 9 }],
  ["name", { schema, name: "a b" }],
  ["messages", { schema, messages: "Hi" }],
  ["response_format", { schema, response_format: { type: "text" } }],
])("refuses a bad `%s` by its name, before any call", async (param, fields) => {
  const engine = engineSaying("{}");
  await expect(engine.object({ ...ask, ...(fields as object) } as never)).rejects.toMatchObject({
    code: "invalid_request",
    param,
  });
  expect(engine.calls).toEqual([]);
});
