import { describe, expect, test } from "vitest";
import { readRequest } from "../../../../src/http/dialects/anthropic/request.ts";

const read = (body: object) => readRequest({ model: "a/m", max_tokens: 100, messages: [], ...body });
const messagesOf = (messages: object[], more: object = {}) => read({ messages, ...more }).request.messages;
const warningsOf = (body: object) => read(body).notes.warnings;
const mark = { type: "ephemeral", ttl: "1h" };

describe("parameters", () => {
  test("each has its counterpart", () => {
    const { request } = read({
      stop_sequences: ["END"],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      metadata: { user_id: "u" },
      service_tier: "standard_only",
      fallbacks: ["b/n"],
    });
    expect(request).toEqual({
      model: "a/m",
      messages: [],
      max_completion_tokens: 100,
      stop: ["END"],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      user: "u",
      service_tier: "default",
      fallbacks: ["b/n"],
    });
  });
  test("a stream asks for its usage", () => {
    expect(read({ stream: true }).request.stream_options).toEqual({ include_usage: true });
    expect(read({ stream: true }).isStream).toBe(true);
    expect(read({ stream: false }).request.stream_options).toBeUndefined();
  });
  test.each([
    [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, { max_tokens: 2_000 }],
    [{ thinking: { type: "disabled" } }, { effort: "none" }],
    [{ thinking: { type: "adaptive" } }, { enabled: true }],
    [{ thinking: { type: "adaptive", display: "omitted" } }, { exclude: true, enabled: true }],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "low" } }, { effort: "low" }],
    [{ output_config: {} }, undefined],
  ])("thinking %j is %j", (body, reasoning) => {
    expect(read(body).request.reasoning).toEqual(reasoning);
  });
  test("the effort `max` goes on by its name", () => {
    const body = { thinking: { type: "adaptive", display: "omitted" }, output_config: { effort: "max" } };
    expect(read(body).request).toMatchObject({ reasoning: { exclude: true }, reasoning_effort: "max" });
  });
  test("the beta name of the format says the same", () => {
    const format = { type: "json_schema", schema: { type: "object", properties: {} } };
    const { request, notes } = read({ output_format: format });
    expect({ format: request.response_format, notes }).toEqual({ format: expect.any(Object), notes: read({}).notes });
    expect(request.response_format).toEqual(read({ output_config: { format } }).request.response_format);
  });
  test("a format is a JSON schema, strict where it can be", () => {
    const closed = { type: "object", properties: {}, additionalProperties: false };
    const formatOf = (schema: object) =>
      read({ output_config: { format: { type: "json_schema", schema } } }).request.response_format;
    expect(formatOf(closed)).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema: closed, strict: true },
    });
    expect(formatOf({ type: "object" })).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema: { type: "object" } },
    });
  });
  test("what has no counterpart is named", () => {
    const body = { container: "c", mcp_servers: [], inference_geo: null, output_config: { effort: "max" } };
    expect(warningsOf(body)).toEqual(["`container` has no counterpart and is left out"]);
  });
});

describe("conversation", () => {
  test("system prompts, turns of the system, and marks for the cache", () => {
    const system = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: mark },
    ];
    expect(messagesOf([{ role: "system", content: "later" }], { system })).toEqual([
      { role: "system", content: system },
      { role: "system", content: "later" },
    ]);
    expect(messagesOf([], { system: "plain" })).toEqual([{ role: "system", content: "plain" }]);
    expect(messagesOf([], { system: "" })).toEqual([]);
  });
  test("media of each kind", () => {
    const content = [
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" }, cache_control: mark },
      { type: "image", source: { type: "url", url: "https://x.test/a.png" } },
      { type: "image", source: { type: "file", file_id: "f1" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" }, title: "paper.pdf" },
      { type: "document", source: { type: "url", url: "https://x.test/a.pdf" } },
      { type: "document", source: { type: "file", file_id: "f2" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "grüße" } },
      {
        type: "document",
        source: { type: "content", content: [{ type: "text", text: "inner" }] },
        cache_control: mark,
      },
      { type: "search_result", title: "T", source: "S", content: [{ type: "text", text: "found" }] },
    ];
    const text = Buffer.from("grüße").toString("base64");
    expect(messagesOf([{ role: "user", content }])[0]?.content).toEqual([
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" }, cache_control: mark },
      { type: "image_url", image_url: { url: "https://x.test/a.png" } },
      { type: "file", file: { file_id: "f1", filename: "image.png" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "paper.pdf" } },
      { type: "file", file: { file_url: "https://x.test/a.pdf" } },
      { type: "file", file: { file_id: "f2" } },
      { type: "file", file: { file_data: `data:text/plain;base64,${text}` } },
      { type: "text", text: "inner", cache_control: mark },
      { type: "text", text: "T\nS\nfound" },
    ]);
  });
  test("results of tools stand before what else the user says, each with its mark on its last part", () => {
    const content = [
      { type: "text", text: "and now?" },
      { type: "tool_result", tool_use_id: "t1", content: "one" },
      { type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "two" }], cache_control: mark },
      { type: "tool_result", tool_use_id: "t3" },
    ];
    expect(messagesOf([{ role: "user", content }])).toEqual([
      { role: "tool", tool_call_id: "t1", content: "one" },
      { role: "tool", tool_call_id: "t2", content: [{ type: "text", text: "two", cache_control: mark }] },
      { role: "tool", tool_call_id: "t3", content: "" },
      { role: "user", content: "and now?" },
    ]);
  });
  test("an answer keeps its thoughts at their places", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "text", text: "hi" },
      { type: "redacted_thinking", data: "sealed" },
      { type: "tool_use", id: "t1", name: "f", input: { a: 1 } },
    ];
    const format = "anthropic-claude-v1";
    expect(messagesOf([{ role: "assistant", content }])).toEqual([
      {
        role: "assistant",
        content: "hi",
        reasoning: "hm",
        reasoning_details: [
          { type: "reasoning.text", index: 0, format, text: "hm", signature: "sig" },
          { type: "reasoning.encrypted", index: 2, format, data: "sealed" },
        ],
        tool_calls: [{ id: "t1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
    ]);
  });
  test("what only the vendor understands keeps its place in its own turns, and is named and left out of the user's", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      { type: "text", text: "found" },
    ];
    const { request, notes } = read({ messages: [{ role: "assistant", content }] });
    const data = JSON.stringify(content[0]);
    const detail = { type: "reasoning.encrypted", index: 0, format: "anthropic-block-v1", data };
    expect(request.messages).toEqual([{ role: "assistant", content: "found", reasoning_details: [detail] }]);
    expect(notes.warnings).toEqual([]);
    expect(warningsOf({ messages: [{ role: "user", content }] })).toEqual([
      "`messages.0.content.0` has no counterpart and is left out",
    ]);
  });
  test("a result of a tool that failed says so", () => {
    const failed = [{ type: "tool_result", tool_use_id: "t", content: "no", is_error: true }];
    const { request, notes } = read({ messages: [{ role: "user", content: failed }] });
    expect(request.messages).toEqual([{ role: "tool", tool_call_id: "t", content: "no", is_error: true }]);
    expect(notes.warnings).toEqual([]);
  });
});

describe("tools", () => {
  test("functions, the choice among them, and the vendor's search", () => {
    const tools = [
      {
        type: "web_search_20250305",
        name: "web_search",
        user_location: { type: "approximate", city: "Rome" },
        max_uses: 2,
      },
      { name: "f", description: "F", input_schema: { type: "object" }, cache_control: mark, strict: true },
    ];
    const { request, notes } = read({
      tools,
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    });
    expect(request).toMatchObject({
      tools: [
        {
          type: "function",
          function: { name: "f", description: "F", parameters: { type: "object" }, strict: true },
          cache_control: mark,
        },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      parallel_tool_calls: false,
      web_search_options: { user_location: { type: "approximate", approximate: { city: "Rome" } } },
    });
    expect(request.anthropic).toEqual({ web_search: tools[0] });
    expect(notes.origins.get("anthropic.web_search.max_uses")).toBe("tools.0.max_uses");
    expect(notes.origins.get("tools.0")).toBe("tools.1");
  });
  test.each([
    ["auto", "auto"],
    ["any", "required"],
    ["none", "none"],
  ])("the choice %s is %s", (type, choice) => {
    expect(read({ tool_choice: { type } }).request.tool_choice).toBe(choice);
  });
});

test.each([
  [{ max_tokens: 0 }, "max_tokens"],
  [{ temperature: 3 }, "temperature"],
  [{ messages: [{ role: "robot", content: "x" }] }, "messages.0.role"],
  [{ messages: [{ role: "user", content: [{ type: "video" }] }] }, "messages.0.content.0.type"],
  [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages.0.content.0.text"],
  [
    { messages: [{ role: "user", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] }] },
    "messages.0.content.0.type",
  ],
  [
    { messages: [{ role: "assistant", content: [{ type: "image", source: { type: "url", url: "x" } }] }] },
    "messages.0.content.0.type",
  ],
  [
    { messages: [{ role: "system", content: [{ type: "thinking", thinking: "", signature: "" }] }] },
    "messages.0.content.0.type",
  ],
  [{ tools: [{ type: "code_execution_20250825", name: "code_execution" }] }, "tools.0.type"],
  [{ tool_choice: { type: "tool" } }, "tool_choice.name"],
])("%j is refused and names %s", (body, param) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
});

test("messages are traced to where they came from", () => {
  const content = [
    { type: "tool_result", tool_use_id: "t", content: "r" },
    { type: "text", text: "x" },
  ];
  const { origins } = read({ system: "s", messages: [{ role: "user", content }] }).notes;
  expect(["messages.0", "messages.1", "messages.2"].map((place) => origins.get(place))).toEqual([
    ...["system", "messages.0.content.0", "messages.0"],
  ]);
});
