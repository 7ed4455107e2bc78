import { describe, expect, it } from "vitest";
import { writeParameters } from "../../support/anthropic/written.ts";

const tools = [
  {
    type: "function",
    function: { name: "f", description: "F", parameters: { properties: { a: { type: "string" } } } },
  },
];

describe("tools", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };

  it("are written with a schema of type object and their cache mark", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const { wire } = writeParameters({
      tools: [
        { ...tools[0], ...mark },
        { type: "function", function: { name: "g" } },
      ],
    });
    expect(wire.tools).toEqual([
      { name: "f", description: "F", input_schema: schema, ...mark },
      { name: "g", input_schema: { type: "object" } },
    ]);
  });

  it.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [{ type: "any" }, { type: "any" }],
    [
      { type: "function", function: { name: "f" } },
      { type: "tool", name: "f" },
    ],
  ])("choice %j", (tool_choice, expected) => {
    expect(writeParameters({ tools, tool_choice }).wire.tool_choice).toEqual(expected);
  });

  it("a choice among allowed tools offers only these", () => {
    const allowed = {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
    };
    const { wire } = writeParameters({
      tools: [...tools, { type: "function", function: { name: "g" } }],
      tool_choice: allowed,
    });
    expect(wire).toMatchObject({ tools: [{ name: "g" }], tool_choice: { type: "any" } });
  });

  it("a choice that forces a call is sent as auto where the model refuses it", () => {
    const { wire, warnings } = writeParameters({ tools, tool_choice: "required" }, "claude-opus-5-5");
    expect(wire.tool_choice).toEqual({ type: "auto" });
    expect(warnings).toEqual([expect.stringContaining("`tool_choice` is sent as auto")]);
  });

  it.each([
    [{ tool_choice: "required" }, { type: "any", disable_parallel_tool_use: true }],
    [{}, { type: "auto", disable_parallel_tool_use: true }],
    [{ tool_choice: "none" }, { type: "none" }],
  ])("one call at a time: %j", (more, expected) => {
    expect(writeParameters({ tools, parallel_tool_calls: false, ...more }).wire.tool_choice).toEqual(expected);
  });

  it("that are strict have their schema closed; what cannot be enforced becomes words and a warning", () => {
    const parameters = {
      type: "object",
      properties: { a: { type: "string", minLength: 2, description: "A" } },
      additionalProperties: true,
    };
    const { wire, warnings } = writeParameters({
      tools: [{ type: "function", function: { name: "f", strict: true, parameters } }],
    });
    expect(wire.tools[0]).toMatchObject({
      strict: true,
      input_schema: {
        additionalProperties: false,
        properties: { a: { type: "string", description: "A Must satisfy minLength: 2." } },
      },
    });
    expect(warnings).toEqual([
      expect.stringMatching(/`tools.0.function.parameters`: `minLength`, `additionalProperties` cannot be enforced/),
    ]);
  });

  it("of other types are named in a warning; a choice of one is refused", () => {
    expect(writeParameters({ tools: [{ type: "custom", custom: {} }] }).warnings).toEqual([
      "`tools.0` of type custom is not supported by anthropic",
    ]);
    expect(() => writeParameters({ tools, tool_choice: { type: "custom" } })).toThrow(
      expect.objectContaining({ param: "tool_choice" }),
    );
    expect(() => writeParameters({ tools, tool_choice: { type: "function" } })).toThrow(
      expect.objectContaining({ param: "tool_choice.function.name" }),
    );
  });

  it("web search is the vendor's own, near the user", () => {
    const approximate = { city: "Graz", country: "AT" };
    const { wire, warnings } = writeParameters({
      web_search_options: { search_context_size: "low", user_location: { type: "approximate", approximate } },
    });
    expect(wire.tools).toEqual([
      { type: "web_search_20250305", name: "web_search", user_location: { type: "approximate", ...approximate } },
    ]);
    expect(warnings).toEqual(["`web_search_options.search_context_size` is not supported by anthropic"]);
  });
});

describe("the rest", () => {
  it("a JSON schema is the output format, beside the effort", () => {
    const response_format = {
      type: "json_schema",
      json_schema: {
        name: "n",
        schema: {
          type: "object",
          properties: { a: { oneOf: [{ type: "null" }, { $ref: "#/$defs/x" }] } },
          $defs: { x: { type: "integer" } },
        },
      },
    };
    expect(writeParameters({ response_format, reasoning: { effort: "low" } }).wire.output_config).toEqual({
      effort: "low",
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: { a: { anyOf: [{ type: "null" }, { $ref: "#/$defs/x" }] } },
          $defs: { x: { type: "integer" } },
          additionalProperties: false,
        },
      },
    });
    expect(() => writeParameters({ response_format: { type: "json_schema" } })).toThrow(
      expect.objectContaining({ param: "response_format.json_schema.schema" }),
    );
  });

  it.each([
    [{ stop: "END" }, { stop_sequences: ["END"] }, 0],
    [{ stop: ["a", " "] }, { stop_sequences: ["a"] }, 1],
    [{ user: "u", safety_identifier: "s" }, { metadata: { user_id: "s" } }, 0],
    [{ metadata: { user_id: "m" } }, { metadata: { user_id: "m" } }, 0],
    [{ metadata: { team: "t" }, user: "u" }, { metadata: { user_id: "u" } }, 1],
    [{ service_tier: "auto" }, { service_tier: "auto" }, 0],
    [{ service_tier: "default" }, { service_tier: "standard_only" }, 0],
    [{ service_tier: "flex" }, {}, 1],
    [{ response_format: { type: "json_object" } }, {}, 1],
  ])("%j", (parameters, sent, warned) => {
    const { wire, warnings } = writeParameters(parameters);
    expect(wire).toEqual({ max_tokens: 32_000, ...sent });
    expect(warnings).toHaveLength(warned);
  });
});

it("a schema that the model cannot be held to is refused, so that the next candidate is asked", () => {
  const schema = { type: "object", properties: { n: { type: "integer" } } };
  const response_format = { type: "json_schema", json_schema: { name: "n", schema } };
  expect(() => writeParameters({ response_format }, "claude-sonnet-4-20250514")).toThrow(
    expect.objectContaining({ code: "unsupported_operation", param: "response_format" }),
  );
});
