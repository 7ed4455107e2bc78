import { describe, expect, it } from "vitest";
import { writeParameters } from "../../../support/gemini/written.ts";

const tools = [
  {
    type: "function",
    function: { name: "f", description: "F", parameters: { type: "object", additionalProperties: false } },
  },
];
const declared = [
  {
    functionDeclarations: [
      { name: "f", description: "F", parametersJsonSchema: { type: "object", additionalProperties: false } },
    ],
  },
];

describe("generation", () => {
  it("a bare request sends nothing but its contents", () => {
    expect(writeParameters({})).toMatchObject({ wire: {}, warnings: [] });
    expect(writeParameters({}).wire).toEqual({});
  });

  it.each([
    [
      { temperature: 0.5, top_p: 0.9, top_k: 7 },
      { temperature: 0.5, topP: 0.9, topK: 7 },
    ],
    [{ max_completion_tokens: 5 }, { maxOutputTokens: 5 }],
    [{ max_tokens: 6 }, { maxOutputTokens: 6 }],
    [{ stop: "END" }, { stopSequences: ["END"] }],
    [{ stop: ["a", "b"] }, { stopSequences: ["a", "b"] }],
    [
      { seed: 7, presence_penalty: 0.1, frequency_penalty: 0.2 },
      { seed: 7, presencePenalty: 0.1, frequencyPenalty: 0.2 },
    ],
    [{ logprobs: true }, { responseLogprobs: true }],
    [
      { logprobs: true, top_logprobs: 3 },
      { responseLogprobs: true, logprobs: 3 },
    ],
    [{ modalities: ["text", "image"] }, { responseModalities: ["TEXT", "IMAGE"] }],
    [{ response_format: { type: "json_object" } }, { responseMimeType: "application/json" }],
    [
      { response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } } },
      { responseMimeType: "application/json", responseJsonSchema: { type: "object" } },
    ],
  ])("%j", (parameters, generationConfig) => {
    expect(writeParameters(parameters)).toMatchObject({ wire: { generationConfig }, warnings: [] });
    expect(writeParameters(parameters).wire).toEqual({ generationConfig });
  });

  it("a JSON schema that is missing is refused by name, another format named in a warning", () => {
    const missing = { response_format: { type: "json_schema" } };
    expect(() => writeParameters(missing)).toThrow(
      expect.objectContaining({ param: "response_format.json_schema.schema" }),
    );
    expect(writeParameters({ response_format: { type: "grammar" } }).warnings).toEqual([
      "`response_format` of type grammar is not supported by gemini",
    ]);
  });

  it.each([
    ["auto", undefined, 0],
    ["default", "standard", 0],
    ["flex", "flex", 0],
    ["priority", "priority", 0],
    ["constructor", undefined, 1],
  ])("service tier %s", (service_tier, serviceTier, warned) => {
    const { wire, warnings } = writeParameters({ service_tier });
    expect(wire.serviceTier).toBe(serviceTier);
    expect(warnings).toHaveLength(warned);
  });
});

describe("several answers", () => {
  const inStreams = "`n` is not supported by gemini in streams";
  const never = "`n` is not supported by gemini";
  const cases: [{ model: string; n: unknown; isStream?: boolean }, number | undefined, string[]][] = [
    [{ model: "gemini-2.5-flash", n: 3 }, 3, []],
    [{ model: "gemini-2.0-flash", n: 2 }, 2, []],
    [{ model: "gemini-2.5-flash", n: 1 }, undefined, []],
    [{ model: "gemini-2.5-flash", n: "3" }, undefined, [never]],
    [{ model: "gemini-2.5-flash", n: 3, isStream: true }, undefined, [inStreams]],
    [{ model: "gemini-2.5-flash", n: 1, isStream: true }, undefined, []],
    [{ model: "gemini-2.5-flash-image", n: 2 }, undefined, [never]],
    [{ model: "gemini-3.8-flash", n: 2 }, undefined, [never]],
    [{ model: "gemma-3-27b-it", n: 2, isStream: true }, undefined, [never]],
  ];
  it.each(cases)("%j", ({ model, n, isStream }, candidateCount, warned) => {
    const { wire, warnings } = writeParameters({ n }, model, isStream);
    expect(wire.generationConfig?.candidateCount).toBe(candidateCount);
    expect(warnings).toEqual(warned);
  });
});

describe("reasoning", () => {
  it.each([
    ["gemini-3.8-flash", { effort: "high" }, { thinkingLevel: "HIGH", includeThoughts: true }, 0],
    ["gemini-3.8-flash", { effort: "minimal" }, { thinkingLevel: "LOW", includeThoughts: true }, 1],
    ["gemini-3-flash-preview", { effort: "minimal" }, { thinkingLevel: "MINIMAL", includeThoughts: true }, 0],
    ["gemini-3.5-flash-lite", { effort: "minimal" }, { thinkingLevel: "MINIMAL", includeThoughts: true }, 0],
    ["gemini-3.6-flash", { effort: "minimal" }, { thinkingLevel: "MINIMAL", includeThoughts: true }, 0],
    ["gemini-3.7-flash", { effort: "minimal" }, { thinkingLevel: "LOW", includeThoughts: true }, 1],
    ["gemini-3.1-pro-preview", { effort: "minimal" }, { thinkingLevel: "LOW", includeThoughts: true }, 1],
    ["gemini-3.8-flash", { effort: "none" }, { thinkingLevel: "LOW" }, 1],
    ["gemini-3.8-flash", { effort: "xhigh" }, { thinkingLevel: "HIGH", includeThoughts: true }, 1],
    ["gemini-flash-latest", { effort: "medium", exclude: true }, { thinkingLevel: "MEDIUM" }, 0],
    ["gemini-3.8-flash", { max_tokens: 500 }, { thinkingBudget: 500, includeThoughts: true }, 0],
    ["gemini-2.5-flash", { effort: "medium" }, { thinkingBudget: 8_192, includeThoughts: true }, 0],
    ["gemini-2.5-flash", { effort: "none" }, { thinkingBudget: 0 }, 0],
    ["gemini-2.5-pro", { effort: "none" }, { thinkingBudget: 128 }, 1],
    ["gemini-2.5-pro", { enabled: true }, { includeThoughts: true }, 0],
    ["gemini-2.0-flash", { effort: "high" }, undefined, 1],
    ["gemini-2.0-flash", { effort: "none" }, undefined, 0],
  ])("%s: %j", (...[model, reasoning, thinkingConfig, warned]) => {
    const { wire, warnings } = writeParameters({ reasoning }, model);
    expect(wire.generationConfig?.thinkingConfig).toEqual(thinkingConfig);
    expect(warnings).toHaveLength(warned);
  });
});

describe("tools", () => {
  it.each([
    [{}, undefined],
    [{ tool_choice: "auto" }, { mode: "AUTO" }],
    [{ tool_choice: "none" }, { mode: "NONE" }],
    [{ tool_choice: "required" }, { mode: "ANY" }],
    [{ tool_choice: { type: "any" } }, { mode: "ANY" }],
    [{ tool_choice: { type: "function", function: { name: "f" } } }, { mode: "ANY", allowedFunctionNames: ["f"] }],
  ])("choice %j", (more, config) => {
    const { wire } = writeParameters({ tools, ...more });
    expect(wire.tools).toEqual(declared);
    expect(wire.toolConfig?.functionCallingConfig).toEqual(config);
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
    expect(wire).toEqual({
      tools: [{ functionDeclarations: [{ name: "g" }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
    });
  });

  it("that are strict are validated by the vendor", () => {
    const strict = [{ type: "function", function: { name: "f", strict: true } }];
    expect(writeParameters({ tools: strict }).wire.toolConfig).toEqual({
      functionCallingConfig: { mode: "VALIDATED" },
    });
    expect(writeParameters({ tools: strict, tool_choice: "required" }).wire.toolConfig).toEqual({
      functionCallingConfig: { mode: "ANY" },
    });
  });

  it("of other types and with a cache mark are named in warnings; a choice of one is refused", () => {
    const odd = [
      { type: "custom", custom: {} },
      { ...tools[0], cache_control: { type: "ephemeral" } },
    ];
    expect(writeParameters({ tools: odd }).warnings).toEqual([
      "`tools.0` of type custom is not supported by gemini",
      "`tools.1.cache_control` is not supported by gemini",
    ]);
    expect(() => writeParameters({ tools, tool_choice: { type: "custom" } })).toThrow(
      expect.objectContaining({ param: "tool_choice" }),
    );
    expect(() => writeParameters({ tools, tool_choice: { type: "function" } })).toThrow(
      expect.objectContaining({ param: "tool_choice.function.name" }),
    );
  });

  it("web search is the vendor's own", () => {
    const { wire, warnings } = writeParameters({
      web_search_options: { search_context_size: "low", user_location: {} },
    });
    expect(wire).toEqual({ tools: [{ googleSearch: {} }] });
    expect(warnings).toEqual([
      "`web_search_options.search_context_size` is not supported by gemini",
      "`web_search_options.user_location` is not supported by gemini",
    ]);
  });
});
