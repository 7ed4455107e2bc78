import { describe, expect, test } from "vitest";
import type { ReasoningDetail } from "../../../../src/engine/api/message.ts";
import { readRequest } from "../../../../src/http/dialects/responses/request.ts";
import { packDetail } from "../../../../src/http/dialects/shared/envelope.ts";

const read = (body: object) => readRequest({ model: "a/m", input: [], ...body });

describe("a request of the Responses API", () => {
  test("an effort is ours, and the vendor's own max goes on by the vendor's name", () => {
    expect(read({ reasoning: { effort: "xhigh" } }).request).toMatchObject({ reasoning: { effort: "xhigh" } });
    expect(read({ reasoning: { effort: "max" } }).request).toMatchObject({ reasoning_effort: "max" });
    expect(() => read({ reasoning: { effort: "huge" } })).toThrow("reasoning.effort");
  });
  test("each parameter has its counterpart", () => {
    const body = {
      input: "hello",
      instructions: "be kind",
      max_output_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      top_logprobs: 3,
      parallel_tool_calls: false,
      prompt_cache_key: "k",
      prompt_cache_retention: "in_memory",
      safety_identifier: "s",
      service_tier: "flex",
      truncation: "auto",
      user: "u",
      fallbacks: ["b/n"],
      reasoning: { effort: "low", summary: "auto" },
      text: {
        verbosity: "low",
        format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true, description: "d" },
      },
      stream: true,
      stream_options: { include_obfuscation: false },
    };
    const { request, notes } = read(body);
    expect(request).toEqual({
      model: "a/m",
      messages: [
        { role: "system", content: "be kind" },
        { role: "user", content: "hello" },
      ],
      max_completion_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      top_logprobs: 3,
      logprobs: true,
      parallel_tool_calls: false,
      prompt_cache_key: "k",
      prompt_cache_retention: "in-memory",
      safety_identifier: "s",
      service_tier: "flex",
      truncation: "auto",
      user: "u",
      fallbacks: ["b/n"],
      reasoning: { effort: "low" },
      verbosity: "low",
      response_format: {
        type: "json_schema",
        json_schema: { name: "n", schema: { type: "object" }, strict: true, description: "d" },
      },
      stream_options: { include_obfuscation: false, include_usage: true },
    });
    expect(notes.warnings).toEqual([]);
  });
  test("items of the model that follow each other are one message", () => {
    const sealed: ReasoningDetail = { type: "reasoning.text", index: 0, format: "x", signature: "s" };
    const input = [
      {
        role: "user",
        content: [
          { type: "input_text", text: "u" },
          { type: "input_image", image_url: "https://x.test/a.png", detail: "low" },
        ],
      },
      {
        type: "reasoning",
        id: "rs",
        summary: [],
        content: [{ type: "reasoning_text", text: "hm" }],
        encrypted_content: packDetail(sealed),
      },
      { type: "reasoning", id: "rs_9", summary: [{ type: "summary_text", text: "!" }], encrypted_content: "dmVuZG9y" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] },
      { type: "function_call", id: "fc", call_id: "c", name: "f", arguments: "{}", status: "completed" },
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "r" }] },
      { role: "assistant", content: "done" },
    ];
    const { request, notes } = read({ input });
    expect(request.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "u" },
          { type: "image_url", image_url: { url: "https://x.test/a.png", detail: "low" } },
        ],
      },
      {
        role: "assistant",
        content: "a",
        reasoning: "hm!",
        reasoning_details: [
          { ...sealed, text: "hm" },
          { type: "reasoning.encrypted", index: 1, format: "openai-responses-v1", id: "rs_9", data: "dmVuZG9y" },
        ],
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "r" },
      { role: "assistant", content: "done" },
    ]);
    expect(notes.origins.get("messages.2")).toBe("input.5");
  });
  test("files and sound", () => {
    const content = [
      { type: "input_file", file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf", file_id: null },
      { type: "input_image", file_id: "f1" },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "refusal", refusal: "no" },
    ];
    expect(read({ input: [{ role: "developer", content }] }).request.messages).toEqual([
      {
        role: "developer",
        content: [
          { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
          { type: "file", file: { file_id: "f1", filename: "image.png" } },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "refusal", refusal: "no" },
        ],
      },
    ]);
  });
  test("functions, the choice among them, and the vendor's search", () => {
    const tools = [
      {
        type: "web_search_preview",
        search_context_size: "low",
        user_location: { type: "approximate", city: "Rome", region: null },
      },
      { type: "function", name: "f", description: "F", parameters: { type: "object" }, strict: null },
    ];
    const choices = [
      ["required", "required"],
      [
        { type: "function", name: "f" },
        { type: "function", function: { name: "f" } },
      ],
      [
        { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] },
        {
          type: "allowed_tools",
          allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
        },
      ],
    ];
    for (const [tool_choice, choice] of choices) {
      expect(read({ tools, tool_choice }).request).toMatchObject({
        tools: [{ type: "function", function: { name: "f", description: "F", parameters: { type: "object" } } }],
        tool_choice: choice,
        web_search_options: {
          search_context_size: "low",
          user_location: { type: "approximate", approximate: { city: "Rome" } },
        },
      });
    }
  });
  test.each([
    ["auto", { web_search_options: {} }, []],
    ["none", {}, []],
    ["required", { web_search_options: {} }, ["tool_choice"]],
    [{ type: "web_search" }, { web_search_options: {} }, ["tool_choice"]],
  ])("with the search alone the choice %j is honoured, or named", (tool_choice, fields, named) => {
    const { request, notes } = read({ tools: [{ type: "web_search" }], tool_choice });
    const { model: _model, messages: _messages, ...rest } = request;
    expect(rest).toEqual(fields);
    expect(notes.warnings.map((warning) => warning.split("`")[1])).toEqual(named);
  });
  test.each([
    ["auto", []],
    ["detailed", ["`reasoning.summary` detailed is sent as auto"]],
  ])("a summary that is %s", (summary, warnings) => {
    expect(read({ reasoning: { effort: "low", summary } }).notes.warnings).toEqual(warnings);
  });
  test("what has no counterpart is named", () => {
    const body = {
      store: true,
      max_tool_calls: 2,
      include: ["file_search_call.results", "reasoning.encrypted_content"],
      input: [{ type: "web_search_call", id: "ws", status: "completed" }],
    };
    expect(read(body).notes.warnings.map((warning) => warning.split("`")[1])).toEqual([
      ...["max_tool_calls", "store", "input.0", "include.0"],
    ]);
  });
  test.each([
    [{ background: true, stream: true }, "unsupported_operation", "background"],
    [{ input: [{ role: "user", content: [{ type: "input_image" }] }] }, "invalid_request", "input.0.content.0"],
    [{ max_output_tokens: 0 }, "invalid_request", "max_output_tokens"],
  ])("%j is refused as %s and names %s", (body, code, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code, param }));
  });

  test.each([
    [{ background: true }, "unsupported_operation", "background"],
    [{ previous_response_id: "r" }, "unsupported_operation", "previous_response_id"],
    [{ conversation: "c" }, "unsupported_operation", "conversation"],
    [{ prompt: { id: "p" } }, "unsupported_operation", "prompt"],
    [{ input: [{ type: "item_reference", id: "i" }] }, "unsupported_operation", "input.0"],
    [{ tools: [{ type: "code_interpreter" }] }, "invalid_request", "tools.0.type"],
    [{ tools: [{ type: "function", name: "f" }], tool_choice: { type: "mcp" } }, "invalid_request", "tool_choice.type"],
  ])("%j is for vendors of the same interface; others refuse it as %s and name %s", (body, code, param) => {
    expect(read(body).native).toMatchObject({ isRicher: true, refusal: { code, param } });
  });
});
