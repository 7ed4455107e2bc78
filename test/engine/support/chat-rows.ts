import { at, flag, messages, notInteger, notNumber, type Rows, text } from "./row.ts";

/** The fields of the chat table. */
export const chatRows: Rows = {
  model: { valid: ["a/b"], invalid: [1, {}, undefined] },
  fallbacks: { valid: [[], ["a/b", "c"]], invalid: ["a/b", at([1], "fallbacks.0")] },
  stream: flag,
  frequency_penalty: { valid: [-2, 0, 2], invalid: [-2.01, 2.01, ...notNumber] },
  presence_penalty: { valid: [-2, 0, 2], invalid: [-2.01, 2.01, ...notNumber] },
  temperature: { valid: [0, 1.3, 2], invalid: [-0.01, 2.01, ...notNumber] },
  top_p: { valid: [0, 0.5, 1], invalid: [-0.01, 1.01, ...notNumber] },
  top_logprobs: { valid: [0, 20], invalid: [-1, 21, ...notInteger] },
  logprobs: flag,
  logit_bias: { valid: [{}, { "50256": -100 }], invalid: ["x", [], at({ a: "b" }, "logit_bias.a")] },
  max_completion_tokens: { valid: [1, 100_000], invalid: [0, -1, ...notInteger] },
  metadata: { valid: [{}, { a: 1, b: { c: [] } }], invalid: ["x", 1, []] },
  modalities: { valid: [["text", "audio"]], invalid: ["text", at([1], "modalities.0")] },
  parallel_tool_calls: flag,
  prompt_cache_key: text,
  prompt_cache_retention: { valid: ["in-memory", "24h"], invalid: ["1h", 24] },
  reasoning: {
    valid: [
      {},
      ...["none", "minimal", "low", "medium", "high", "xhigh"].map((effort) => ({ effort })),
      { max_tokens: 9 },
    ],
    invalid: ["high", at({ effort: "huge" }, "reasoning.effort"), at({ max_tokens: 1.5 }, "reasoning.max_tokens")],
  },
  response_format: { valid: [{ type: "json_object" }], invalid: ["json", [], 1] },
  safety_identifier: text,
  service_tier: text,
  stream_options: {
    valid: [{}, { include_usage: true, include_obfuscation: false }],
    invalid: [
      true,
      at({ include_usage: "yes" }, "stream_options.include_usage"),
      at({ include_obfuscation: 1 }, "stream_options.include_obfuscation"),
    ],
  },
  store: flag,
  seed: { valid: [0, -1, 42], invalid: notInteger },
  stop: { valid: ["x", [], ["a", "b", "c", "d"]], invalid: [1, ["a", "b", "c", "d", "e"], at([1], "stop.0")] },
  tool_choice: {
    valid: [
      "none",
      "auto",
      "required",
      ...["none", "any", "required", "function", "allowed_tools", "custom"].map((type) => ({ type })),
      { type: "function", function: { name: "f" } },
      {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] },
      },
    ],
    invalid: [
      "some",
      1,
      at({ type: "tool" }, "tool_choice.type"),
      at({}, "tool_choice.type"),
      at({ type: "function", function: {} }, "tool_choice.function.name"),
      at({ type: "allowed_tools", allowed_tools: { mode: "none" } }, "tool_choice.allowed_tools.mode"),
      at({ type: "allowed_tools", allowed_tools: { tools: [{}] } }, "tool_choice.allowed_tools.tools.0.type"),
      at(
        { type: "allowed_tools", allowed_tools: { tools: [{ type: "function", function: {} }] } },
        "tool_choice.allowed_tools.tools.0.function.name",
      ),
    ],
  },
  tools: {
    valid: [
      [],
      [{ type: "function", function: { name: "f" } }],
      [
        {
          type: "function",
          function: {
            name: "f",
            description: "d",
            strict: true,
            parameters: {
              type: "object",
              description: "x",
              required: ["a"],
              properties: { a: {} },
              additionalProperties: false,
              enum: ["e"],
            },
          },
          cache_control: { type: "ephemeral", ttl: "1h" },
        },
      ],
      [{ type: "function", function: { name: "f", parameters: { type: ["object"], enum: [1, null, {}] } } }],
      [{ type: "function", function: { name: "f", parameters: { additionalProperties: {}, $defs: { a: true } } } }],
      [{ type: "function", function: { name: "f", parameters: { anyOf: [{ required: ["a"] }, {}], not: {} } } }],
      [{ type: "custom", custom: { format: { type: "grammar", grammar: { definition: "x", syntax: "lark" } } } }],
    ],
    invalid: [
      "f",
      at([{}], "tools.0.type"),
      at([{ type: "web" }], "tools.0.type"),
      at([{ type: "function" }], "tools.0.function"),
      at([{ type: "function", function: {} }], "tools.0.function.name"),
      at([{ type: "function", function: { name: "f", description: 1 } }], "tools.0.function.description"),
      at([{ type: "function", function: { name: "f", strict: "x" } }], "tools.0.function.strict"),
      at([{ type: "function", function: { name: "f", parameters: { type: 1 } } }], "tools.0.function.parameters.type"),
      at(
        [{ type: "function", function: { name: "f", parameters: { required: "a" } } }],
        "tools.0.function.parameters.required",
      ),
      at(
        [{ type: "function", function: { name: "f", parameters: { properties: 1 } } }],
        "tools.0.function.parameters.properties",
      ),
      at([{ type: "function", function: { name: "f", parameters: { enum: 1 } } }], "tools.0.function.parameters.enum"),
      at(
        [{ type: "function", function: { name: "f", parameters: { additionalProperties: "no" } } }],
        "tools.0.function.parameters.additionalProperties",
      ),
      at([{ type: "custom", custom: { format: {} } }], "tools.0.custom.format.type"),
      at(
        [{ type: "custom", custom: { format: { type: "g", grammar: { definition: "x" } } } }],
        "tools.0.custom.format.grammar.syntax",
      ),
      at(
        [{ type: "custom", custom: { format: { type: "g", grammar: { syntax: "regex" } } } }],
        "tools.0.custom.format.grammar.definition",
      ),
      at(
        [{ type: "function", function: { name: "f" }, cache_control: { type: "forever" } }],
        "tools.0.cache_control.type",
      ),
      at(
        [{ type: "function", function: { name: "f" }, cache_control: { type: "ephemeral", ttl: "2h" } }],
        "tools.0.cache_control.ttl",
      ),
    ],
  },
  prediction: {
    valid: [
      { type: "content", content: "x" },
      { type: "content", content: [{ type: "text", text: "x" }] },
    ],
    invalid: ["x", at({ type: "text" }, "prediction.type"), at({ type: "content", content: 1 }, "prediction.content")],
  },
  web_search_options: {
    valid: [
      {},
      ...["low", "medium", "high"].map((search_context_size) => ({ search_context_size })),
      {
        user_location: {
          type: "approximate",
          approximate: { city: "Rome", country: "IT", region: "Lazio", timezone: "Europe/Rome" },
        },
      },
    ],
    invalid: [
      "x",
      at({ search_context_size: "huge" }, "web_search_options.search_context_size"),
      at({ user_location: { type: 1 } }, "web_search_options.user_location.type"),
      at(
        { user_location: { approximate: { country: "ITA" } } },
        "web_search_options.user_location.approximate.country",
      ),
      at({ user_location: { approximate: { city: 1 } } }, "web_search_options.user_location.approximate.city"),
      at({ user_location: { approximate: { timezone: 1 } } }, "web_search_options.user_location.approximate.timezone"),
    ],
  },
  truncation: text,
  user: text,
  verbosity: { valid: ["low", "medium", "high"], invalid: ["max", 1] },
  messages: {
    valid: [
      messages,
      ...["system", "developer", "user", "assistant"].map((role) => [{ role, content: "x" }]),
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
        },
      ],
      [{ role: "tool", tool_call_id: "1", content: "x" }],
      [
        {
          role: "user",
          name: "ann",
          content: [
            { type: "text", text: "x", cache_control: { type: "ephemeral" } },
            { type: "image_url", image_url: { url: "https://x", detail: "low" } },
            { type: "input_audio", input_audio: { data: "x", format: "wav" } },
            { type: "file", file: { file_id: "f" } },
          ],
        },
      ],
      [
        {
          role: "assistant",
          refusal: "no",
          reasoning: "why",
          reasoning_details: [{ type: "reasoning.text", text: "t", signature: "s" }],
        },
      ],
    ],
    invalid: [
      "hi",
      undefined,
      at([{ content: "x" }], "messages.0.role"),
      at([{ role: "robot", content: "x" }], "messages.0.role"),
      at([messages[0], { role: "user", content: 1 }], "messages.1.content"),
      at([{ role: "user", content: [{ type: "text" }] }], "messages.0.content.0.text"),
      at([{ role: "user", content: [{ type: "video" }] }], "messages.0.content.0.type"),
      at([{ role: "user", content: [{ type: "image_url", image_url: {} }] }], "messages.0.content.0.image_url.url"),
      at([{ role: "user", name: 1, content: "x" }], "messages.0.name"),
      at([{ role: "tool", tool_call_id: 1, content: "x" }], "messages.0.tool_call_id"),
      at([{ role: "assistant", tool_calls: {} }], "messages.0.tool_calls"),
      at(
        [{ role: "assistant", tool_calls: [{ function: { arguments: {} } }] }],
        "messages.0.tool_calls.0.function.arguments",
      ),
      at([{ role: "assistant", reasoning_details: [{ type: "thought" }] }], "messages.0.reasoning_details.0.type"),
      at(
        [{ role: "user", content: [{ type: "text", text: "x", cache_control: { type: "x" } }] }],
        "messages.0.content.0.cache_control.type",
      ),
    ],
  },
};
