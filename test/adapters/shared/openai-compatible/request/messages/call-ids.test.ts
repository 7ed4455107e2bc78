import fc from "fast-check";
import { expect, it } from "vitest";
import { shortCallIds } from "../../../../../../adapters/shared/openai-compatible/request/messages.ts";

const short = (id: string) => shortCallIds({ tool_call_id: id }).tool_call_id ?? "";

it("every identifier has nine letters and digits", () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      expect(short(id)).toMatch(/^[a-zA-Z0-9]{9}$/);
    }),
  );
});

it("a call and its result keep the same one, whatever else the call holds", () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      const call = { id, type: "function", function: { name: "f", arguments: "{}" } };
      expect(shortCallIds({ tool_calls: [call] })).toEqual({ tool_calls: [{ ...call, id: short(id) }] });
    }),
  );
});

it("different ones stay different", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), (ids) => {
      expect(new Set(ids.map(short)).size).toBe(ids.length);
    }),
  );
});

it("the vendor's own stay as they are, and a message without any gets none", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z0-9]{9}$/), (id) => {
      expect(short(id)).toBe(id);
    }),
  );
  expect(shortCallIds({ tool_calls: [] })).toEqual({});
});
