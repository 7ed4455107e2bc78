import { describe, expect, it } from "vitest";
import type { AnthropicMessageTurn } from "../../../../adapters/shared/anthropic/wire.ts";
import { writeMessages } from "../../support/anthropic/written.ts";

const user = (content: unknown) => ({ role: "user", content });
const png = "data:image/png;base64,iVBORw0KGgo=";
const cached = { cache_control: { type: "ephemeral", ttl: "1h" } };

describe("system and developer messages", () => {
  it("before the first turn are blocks of the system prompt, in order", () => {
    const { system, turns } = writeMessages([
      { role: "system", content: "One" },
      { role: "developer", content: [{ type: "text", text: "Two", ...cached }] },
      user("Hi"),
    ]);
    expect(system).toEqual([
      { type: "text", text: "One" },
      { type: "text", text: "Two", ...cached },
    ]);
    expect(turns).toEqual([{ role: "user", content: "Hi" }]);
  });

  const conversation = [
    user("Hi"),
    { role: "assistant", content: "Hello" },
    { role: "system", content: "Be brief" },
    user("And?"),
  ];

  it("in mid-conversation follow their user turn where the model has system turns", () => {
    const { system, turns, warnings } = writeMessages(conversation, "claude-opus-4-8");
    expect(system).toBeUndefined();
    expect(turns.map(({ role, content }: AnthropicMessageTurn) => [role, content])).toEqual([
      ["user", "Hi"],
      ["assistant", "Hello"],
      ["user", "And?"],
      ["system", "Be brief"],
    ]);
    expect(warnings).toEqual([expect.stringContaining("`messages.2` is moved after the user's turn")]);
  });

  it("behind a user's turn stay there where the model has system turns, in the first turn, too", () => {
    const messages = [user("Hi"), { role: "system", content: "Be brief" }];
    const { system, turns, warnings } = writeMessages(messages, "claude-opus-4-8");
    expect(system).toBeUndefined();
    expect(turns.map(({ role }: AnthropicMessageTurn) => role)).toEqual(["user", "system"]);
    expect(warnings).toEqual([]);
  });

  it("behind the first user's turn are told to be moved where the model has none", () => {
    const messages = [user("Hi"), { role: "system", content: "Be brief" }];
    expect(writeMessages(messages, "claude-sonnet-4-6").warnings).toEqual([
      expect.stringContaining("`messages.1` is moved to the system prompt"),
    ]);
  });

  it("in mid-conversation join the system prompt where the model has none, with a warning that names them", () => {
    const { system, turns, warnings } = writeMessages(conversation, "claude-sonnet-4-6");
    expect(system).toEqual([{ type: "text", text: "Be brief" }]);
    expect(turns.map(({ role }: AnthropicMessageTurn) => role)).toEqual(["user", "assistant", "user"]);
    expect(warnings).toEqual([expect.stringContaining("`messages.2` is moved to the system prompt")]);
  });

  it.each([
    ["claude-opus-4-8", "at the end", []],
    ["claude-opus-5-5", "at the end", []],
    ["claude-opus-5-5", "before another answer", [{ role: "assistant", content: "Yes" }, user("So?")]],
  ])("where no user's turn is, never change what stood before them: %s, %s", (model, _where, rest) => {
    const before = [{ role: "system", content: "Prompt" }, user("Hi"), { role: "assistant", content: "Hello" }];
    const first = writeMessages([...before, user("And?")], model);
    const { system, turns, warnings } = writeMessages(
      [...before, { role: "system", content: "Brief" }, ...rest],
      model,
    );
    expect(system).toEqual(first.system);
    expect(turns.slice(0, 2)).toEqual(first.turns.slice(0, 2));
    expect(turns[2]).toEqual({ role: "user", content: "Brief" });
    expect(warnings).toEqual([expect.stringContaining("`messages.3` is sent as a user turn")]);
  });

  it("with a picture are refused by name", () => {
    const message = { role: "system", content: [{ type: "image_url", image_url: { url: png } }] };
    expect(() => writeMessages([message, user("Hi")])).toThrow(
      "`messages.0.content.0` of type image_url cannot be sent",
    );
  });
});

describe("tool calls and their results", () => {
  const call = (id: string, args: string) => ({ id, type: "function", function: { name: "f", arguments: args } });
  const asked = { role: "assistant", content: "Wait", tool_calls: [call("a", '{"x":1}'), call("b", "")] };

  it("results that follow each other are one user turn, before what the user says", () => {
    const { turns } = writeMessages([
      user("Go"),
      asked,
      user("and hurry"),
      { role: "tool", tool_call_id: "b", content: "B" },
      {
        role: "tool",
        tool_call_id: "a",
        content: [
          { type: "text", text: "A" },
          { type: "image_url", image_url: { url: png } },
        ],
      },
    ]);
    expect(turns[1].content).toEqual([
      { type: "text", text: "Wait" },
      { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
      { type: "tool_use", id: "b", name: "f", input: {} },
    ]);
    expect(turns.slice(2)).toEqual([
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "b", content: "B" },
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [
              { type: "text", text: "A" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
            ],
          },
          { type: "text", text: "and hurry" },
        ],
      },
    ]);
  });

  it.each(["{", "[1]", '"x"'])("arguments that are no JSON object are marked, with a warning: %s", (text) => {
    const calls = [call("a", "null"), call("b", text)];
    const { turns, warnings } = writeMessages([user("Go"), { role: "assistant", tool_calls: calls }]);
    expect(turns[1].content.map(({ input }: { input: object }) => input)).toEqual([{}, { INVALID_JSON: text }]);
    expect(warnings).toEqual([expect.stringContaining("`messages.1.tool_calls.1.function.arguments`")]);
  });

  it("a result says that its tool failed", () => {
    const failed = { role: "tool", tool_call_id: "a", content: "no", is_error: true };
    const asked = { role: "assistant", tool_calls: [call("a", "{}")] };
    const { turns, warnings } = writeMessages([user("Go"), asked, failed]);
    expect(turns[2].content).toEqual([{ type: "tool_result", tool_use_id: "a", content: "no", is_error: true }]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["messages.1.tool_calls.0.id", [{ role: "assistant", tool_calls: [call("", "{}")] }]],
    ["messages.1.tool_calls.0.function.name", [{ role: "assistant", tool_calls: [{ id: "a" }] }]],
    ["messages.1.tool_call_id", [{ role: "tool", content: "A" }]],
  ])("what is missing is the caller's fault, by name: %s", (param, messages) => {
    expect(() => writeMessages([user("Go"), ...messages])).toThrow(
      expect.objectContaining({ code: "invalid_request", param }),
    );
  });

  it.each([
    ["messages.1.tool_calls.0", [{ role: "assistant", tool_calls: [{ id: "a", type: "custom" }] }]],
    ["messages.1.audio", [{ role: "assistant", audio: { id: "audio_1" } }]],
  ])("what this vendor cannot be sent is told by name: %s", (param, messages) => {
    expect(() => writeMessages([user("Go"), ...messages])).toThrow(
      expect.objectContaining({ code: "unsupported_operation", param }),
    );
  });

  it("numbers that JavaScript would round keep their digits", () => {
    const { body } = writeMessages([
      user("Go"),
      { role: "assistant", tool_calls: [call("a", '{"id":12345678901234567890}')] },
    ]);
    expect(body).toContain('"input":{"id":12345678901234567890}');
  });

  it("identifiers of other vendors are written in the characters that this one takes, the same in call and result", () => {
    const { turns } = writeMessages([
      user("Go"),
      { role: "assistant", tool_calls: [call("functions.f:0", "{}")] },
      { role: "tool", tool_call_id: "functions.f:0", content: "A" },
    ]);
    const [use] = turns[1].content;
    const [result] = turns[2].content;
    expect(use.id).toMatch(/^[\w-]+$/);
    expect(result.tool_use_id).toBe(use.id);
  });
});

describe("reasoning of earlier turns", () => {
  const past = (details: unknown[], more = {}) => [
    user("Go"),
    { role: "assistant", content: "Done", reasoning_details: details, ...more },
  ];

  it("goes back without a `format` too, thoughts first where no index says more", () => {
    const { turns } = writeMessages(
      past([
        { type: "reasoning.text", text: "Hm", signature: "s" },
        { type: "reasoning.encrypted", data: "d" },
      ]),
    );
    expect(turns[1].content).toEqual([
      { type: "thinking", thinking: "Hm", signature: "s" },
      { type: "redacted_thinking", data: "d" },
      { type: "text", text: "Done" },
    ]);
  });

  it.each([
    ["without a signature", [{ type: "reasoning.text", text: "Hm" }], "without a signature"],
    [
      "of another vendor",
      [{ type: "reasoning.encrypted", data: "d", format: "google-gemini-v1" }],
      "of another vendor",
    ],
  ])("%s stays behind, with a warning", (_what, details, words) => {
    const { turns, warnings } = writeMessages(past(details));
    expect(turns[1].content).toBe("Done");
    expect(warnings).toEqual([expect.stringContaining(`\`messages.1.reasoning_details\` ${words}`)]);
  });

  it("as bare text stays behind, with a warning", () => {
    expect(writeMessages([user("Go"), { role: "assistant", content: "Done", reasoning: "Hm" }]).warnings).toEqual([
      "`messages.1.reasoning` has no signature and is not sent to anthropic",
    ]);
  });
});
