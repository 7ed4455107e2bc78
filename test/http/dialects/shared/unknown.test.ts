import { describe, expect, it } from "vitest";
import { readRequest as readAnthropic } from "../../../../src/http/dialects/anthropic/request.ts";
import { readRequest as readCohere } from "../../../../src/http/dialects/cohere/request.ts";
import { readRequest as readGenai } from "../../../../src/http/dialects/genai/request/request.ts";
import { readRequest as readResponse } from "../../../../src/http/dialects/responses/request.ts";

/** A field that no vendor has. */
const odd = { odd: 1 };

const anthropic = {
  model: "a/b",
  messages: [
    {
      role: "user",
      content: [{ type: "image", source: { type: "url", url: "https://x.test/a.png", ...odd }, ...odd }],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "yes", citations: [{ type: "char_location" }] },
        { type: "tool_use", id: "t", name: "f", input: odd, caller: { type: "direct" }, ...odd },
      ],
      ...odd,
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "4", ...odd }] }],
    },
  ],
  thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
  output_config: { effort: "low", task_budget: { type: "tokens", total: 9 } },
  metadata: { user_id: "u", ...odd },
  tools: [{ name: "f", input_schema: odd }],
  tool_choice: { type: "auto", ...odd },
};

const genai = {
  contents: [{ role: "user", parts: [{ text: "hi", ...odd }], ...odd }],
  generationConfig: { thinkingConfig: { thinkingBudget: 9, ...odd } },
  tools: [{ functionDeclarations: [{ name: "f", ...odd }] }],
  toolConfig: { functionCallingConfig: { mode: "AUTO", ...odd }, retrievalConfig: odd },
};

const cohere = {
  model: "a/b",
  messages: [
    { role: "assistant", content: "4", tool_calls: [{ id: "t", function: { name: "f", arguments: "{}" }, ...odd }] },
  ],
  thinking: { type: "enabled", ...odd },
  tools: [{ type: "function", function: { name: "f", parameters: odd, ...odd } }],
};

const response = {
  model: "a/b",
  input: "hi",
  background: false,
  text: { format: { type: "json_schema", name: "n", schema: odd, ...odd }, ...odd },
  reasoning: { effort: "low", ...odd },
  tools: [{ type: "function", name: "f", ...odd }],
  tool_choice: { type: "function", name: "f", ...odd },
};

/** The fields that warnings of a translation name. */
function named({ notes }: { readonly notes: { readonly warnings: readonly string[] } }): string[] {
  return notes.warnings.map((warning) => /^`([^`]+)` has no counterpart/.exec(warning)?.[1] ?? warning).toSorted();
}

describe("a field that a dialect does not have is named, however deep it stands", () => {
  it.each([
    [
      "anthropic",
      named(readAnthropic(anthropic)),
      [
        "messages.0.content.0.odd",
        "messages.0.content.0.source.odd",
        "messages.1.content.0.citations",
        "messages.1.content.1.odd",
        "messages.1.odd",
        "messages.2.content.0.content.0.odd",
        "metadata.odd",
        "output_config.task_budget",
        "thinking.block_binding",
        "tool_choice.odd",
      ],
    ],
    [
      "genai",
      named(readGenai("a/b", false, genai)),
      [
        "contents.0.odd",
        "contents.0.parts.0.odd",
        "generationConfig.thinkingConfig.odd",
        "toolConfig.functionCallingConfig.odd",
        "toolConfig.retrievalConfig",
        "tools.0.functionDeclarations.0.odd",
      ],
    ],
    ["cohere", named(readCohere(cohere)), ["messages.0.tool_calls.0.odd", "thinking.odd", "tools.0.function.odd"]],
    [
      "responses",
      named(readResponse(response)),
      ["reasoning.odd", "text.format.odd", "text.odd", "tool_choice.odd", "tools.0.odd"],
    ],
  ])("%s", (_name, told, expected) => expect(told).toEqual(expected));
});

describe("what answers of ours hold comes back without a warning", () => {
  it("anthropic", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "redacted_thinking", data: "x" },
      { type: "text", text: "yes", citations: null },
      { type: "tool_use", id: "t", name: "f", input: {}, caller: { type: "direct" } },
    ];
    const messages = [
      { role: "assistant", content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "4", is_error: false }] },
    ];
    expect(named(readAnthropic({ model: "a/b", messages }))).toEqual([]);
  });
  it("cohere", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "text", text: "yes" },
    ];
    expect(named(readCohere({ model: "a/b", messages: [{ role: "assistant", content, citations: [] }] }))).toEqual([]);
  });
  it("genai", () => {
    const parts = [
      { text: "hm", thought: true, thoughtSignature: "s" },
      { functionCall: { id: "1", name: "f", args: { any: { thing: 1 } } }, thoughtSignature: "s" },
    ];
    expect(named(readGenai("a/b", false, { contents: [{ role: "model", parts }] }))).toEqual([]);
  });
  it("responses", () => {
    const content = [{ type: "output_text", text: "yes", annotations: [], logprobs: [] }];
    const input = [
      { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "x", status: "completed" },
      { id: "msg_1", type: "message", role: "assistant", status: "completed", content },
      { id: "fc_1", type: "function_call", status: "completed", call_id: "t", name: "f", arguments: "{}" },
    ];
    expect(named(readResponse({ model: "a/b", input }))).toEqual([]);
  });
});
