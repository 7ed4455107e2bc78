import { describe, expect, it } from "vitest";
import { writeMessages } from "../../support/cohere/written.ts";

const call = { id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } };
const refusal = (param: string, code = "invalid_request") => expect.objectContaining({ code, param });
const unfit = (param: string) => refusal(param, "unsupported_operation");

describe("a message", () => {
  it("of one text is that text, of more it is parts; empty ones are left out", () => {
    const content = [
      { type: "text", text: "" },
      { type: "text", text: "a" },
      { type: "refusal", refusal: "b" },
    ];
    const { turns } = writeMessages([
      { role: "system", content: [{ type: "text", text: "Be brief." }] },
      { role: "user", content },
    ]);
    expect(turns).toEqual([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ]);
  });

  it("of the assistant without anything in it is left out", () => {
    expect(
      writeMessages([
        { role: "assistant", content: "" },
        { role: "user", content: "Hi" },
      ]).turns,
    ).toHaveLength(1);
  });

  it("says its refusal where it says nothing else", () => {
    expect(writeMessages([{ role: "assistant", content: null, refusal: "No." }]).turns).toEqual([
      { role: "assistant", content: "No." },
    ]);
  });

  it("with a file of text has the text", () => {
    const file_data = `data:text/plain;base64,${Buffer.from("Grüße").toString("base64")}`;
    const content = [{ type: "file", file: { file_data } }];
    expect(writeMessages([{ role: "user", content }]).turns).toEqual([{ role: "user", content: "Grüße" }]);
  });

  it.each([
    [{ type: "file", file: { file_data: "data:application/pdf;base64,AA==" } }, "messages.0.content.0.file"],
    [{ type: "file", file: { file_id: "f-1" } }, "messages.0.content.0.file"],
    [{ type: "input_audio", input_audio: { data: "AA==", format: "wav" } }, "messages.0.content.0"],
  ])("with %j is refused by name", (part, param) => {
    expect(() => writeMessages([{ role: "user", content: [part] }])).toThrow(unfit(param));
  });

  it.each(["system", "assistant"])("of %s with an image is refused by name", (role) => {
    const content = [{ type: "image_url", image_url: { url: "https://a.test/b.png" } }];
    expect(() => writeMessages([{ role, tool_call_id: "c1", content }])).toThrow(unfit("messages.0.content.0"));
  });

  it("of a tool with an image is told by the user but for its texts, behind all results", () => {
    const image = { type: "image_url", image_url: { url: "https://a.test/b.png" } };
    const tool_calls = ["c1", "c2"].map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } }));
    const { turns, warnings } = writeMessages([
      { role: "assistant", content: null, tool_calls },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "A" }, image] },
      { role: "tool", tool_call_id: "c2", content: "B" },
      { role: "user", content: "Go on" },
    ]);
    expect(turns.slice(1)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "A" },
      { role: "tool", tool_call_id: "c2", content: "B" },
      { role: "user", content: [image] },
      { role: "user", content: "Go on" },
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^`messages\.1` is moved to the user but for its text: /)]);
  });

  it("with a name, a cache mark or another vendor's thoughts says so", () => {
    const { turns, warnings } = writeMessages([
      { role: "user", name: "Ann", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] },
      {
        role: "assistant",
        content: "Hello",
        reasoning: "Hm",
        reasoning_details: [
          { type: "reasoning.text", text: "Hm", signature: "s", format: "anthropic-claude-v1" },
          { type: "reasoning.text", text: "Hm" },
        ],
      },
    ]);
    expect(turns).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ]);
    expect(warnings).toEqual([
      "`messages.0.name` is not supported by cohere",
      "`cache_control` is not supported by cohere",
      "`messages.1.reasoning_details` of another vendor are not sent to cohere",
      "`messages.1.reasoning_details` of another vendor are not sent to cohere",
    ]);
  });
});

describe("a call", () => {
  it("has what was said before it as its plan, and its thoughts as content", () => {
    const reasoning_details = [{ type: "reasoning.text", index: 0, text: "Hm", format: "cohere-v2" }];
    const { turns } = writeMessages([
      { role: "assistant", content: "I will look.", reasoning: "Hm", reasoning_details, tool_calls: [call] },
    ]);
    const content = [{ type: "thinking", thinking: "Hm" }];
    expect(turns).toEqual([{ role: "assistant", content, tool_plan: "I will look.", tool_calls: [call] }]);
  });

  it("without arguments has an empty object of them", () => {
    const { turns } = writeMessages([
      { role: "assistant", tool_calls: [{ id: "c1", function: { name: "f", arguments: " " } }] },
    ]);
    expect(turns[0].tool_calls).toEqual([{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }]);
  });

  it.each([
    [{ ...call, id: "" }, "messages.0.tool_calls.0.id"],
    [{ ...call, function: {} }, "messages.0.tool_calls.0.function.name"],
  ])("that is none is refused by name: %j", (told, param) => {
    expect(() => writeMessages([{ role: "assistant", tool_calls: [told] }])).toThrow(refusal(param));
  });

  it("of a tool that is no function is refused by name", () => {
    const calls = [{ ...call, type: "custom" }];
    expect(() => writeMessages([{ role: "assistant", tool_calls: calls }])).toThrow(unfit("messages.0.tool_calls.0"));
  });

  it("needs an id in its result", () => {
    expect(() => writeMessages([{ role: "tool", content: "21" }])).toThrow(refusal("messages.0.tool_call_id"));
  });
});
