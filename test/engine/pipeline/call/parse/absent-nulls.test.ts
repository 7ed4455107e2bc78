import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import { withoutAbsentNulls } from "../../../../../src/engine/pipeline/call/parse.ts";
import { parseChat } from "../../../../../src/engine/pipeline/verbs/parse-chat.ts";

const image = { url: "data:image/png;base64,iVBORw0KGgo=" };
const schema = { type: "object", properties: { a: { default: null, enum: ["x", null] } } };
const bare = {
  model: "a/m",
  messages: [
    {
      role: "user",
      content: [
        { type: "image_url", image_url: image },
        { type: "text", text: "b" },
      ],
    },
    { role: "assistant", content: null, refusal: null, tool_calls: [{ id: "c", function: { name: "f" } }] },
    { role: "tool", tool_call_id: "c", content: "1" },
  ],
  tools: [{ type: "function", function: { name: "f", parameters: schema, strict: null } }],
  reasoning: {},
};

/** Optional fields that do not take null, at whatever depth. */
const absent: [string, (request: typeof bare) => object | undefined][] = [
  ["user", (request) => request],
  ["stop", (request) => request],
  ["name", ({ messages }) => messages[0]],
  ["tool_calls", ({ messages }) => messages[0]],
  ["annotations", ({ messages }) => messages[1]],
  ["reasoning_details", ({ messages }) => messages[1]],
  ["cache_control", ({ messages }) => (messages[0]?.content as object[] | undefined)?.[1]],
  ["detail", ({ messages }) => (messages[0]?.content as { image_url: object }[] | undefined)?.[0]?.image_url],
  ["arguments", ({ messages }) => messages[1]?.tool_calls?.[0]?.function],
  ["description", ({ tools }) => tools[0]?.function],
  ["required", ({ tools }) => tools[0]?.function.parameters],
  ["effort", ({ reasoning }) => reasoning],
];

describe("null of an optional field is the same as its absence", () => {
  it("for any of them, together and one by one", () => {
    fc.assert(
      fc.property(fc.subarray(absent, { minLength: 1 }), (fields) => {
        const request = structuredClone(bare);
        for (const [field, holder] of fields) Object.assign(holder(request) as object, { [field]: null });
        const given = structuredClone(request);
        expect(parseChat(request)).toEqual(parseChat(bare));
        expect(request).toEqual(given);
      }),
    );
  });

  it("but a field that takes null, a free map and an unknown field keep theirs", () => {
    expect(withoutAbsentNulls(ChatRequest, bare)).toBe(bare);
    const kept = { ...bare, user: null, metadata: { a: null }, own: { b: null } };
    const { user: _absent, ...rest } = kept;
    expect(withoutAbsentNulls(ChatRequest, kept)).toEqual(rest);
  });

  it("and a required field that is null is refused by its name", () => {
    const message = { role: "user", content: [{ type: "text", text: null }] };
    expect(() => parseChat({ model: "a/m", messages: [message] })).toThrow(
      expect.objectContaining({ code: "invalid_request", param: "messages.0.content.0.text" }),
    );
  });
});
