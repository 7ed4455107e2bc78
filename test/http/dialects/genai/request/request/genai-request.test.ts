import { describe, expect, test } from "vitest";
import { toJsonSchema } from "../../../../../../src/http/dialects/genai/request/json-schema.ts";
import { readRequest } from "../../../../../../src/http/dialects/genai/request/request.ts";

const read = (body: object, isStream = false) => readRequest("a/m", isStream, { contents: [], ...body });

describe("parameters", () => {
  test("each has its counterpart", () => {
    const generationConfig = {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      candidateCount: 2,
      maxOutputTokens: 100,
      stopSequences: ["END"],
      seed: 1,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      responseLogprobs: true,
      logprobs: 3,
      responseModalities: ["TEXT", "IMAGE"],
    };
    expect(read({ generationConfig, serviceTier: "FLEX", fallbacks: ["b/n"] }).request).toEqual({
      model: "a/m",
      messages: [],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      n: 2,
      max_completion_tokens: 100,
      stop: ["END"],
      seed: 1,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logprobs: true,
      top_logprobs: 3,
      modalities: ["text", "image"],
      service_tier: "flex",
      fallbacks: ["b/n"],
    });
  });
  test("a stream asks for its usage", () => {
    expect(read({}, true).request.stream_options).toEqual({ include_usage: true });
    expect(read({}).request).not.toHaveProperty("stream_options");
  });
  test.each([
    [{ thinkingBudget: 0 }, { effort: "none" }],
    [{ thinkingBudget: 500 }, { max_tokens: 500 }],
    [{ thinkingBudget: -1 }, undefined],
    [{ thinkingLevel: "LOW" }, { effort: "low" }],
    [{ includeThoughts: true }, { enabled: true }],
    [{}, undefined],
  ])("thinking %j is %j", (thinkingConfig, reasoning) => {
    const { request, showsThoughts } = read({ generationConfig: { thinkingConfig } });
    expect(request.reasoning).toEqual(reasoning);
    expect(showsThoughts).toBe("includeThoughts" in thinkingConfig);
  });
  test.each([
    [{ responseMimeType: "application/json" }, { type: "json_object" }],
    [{ responseMimeType: "text/plain" }, undefined],
    [
      { responseMimeType: "application/json", responseSchema: { type: "STRING" } },
      { type: "json_schema", json_schema: { name: "answer", schema: { type: "string" }, strict: true } },
    ],
    [
      { responseJsonSchema: { type: "object" } },
      { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } },
    ],
  ])("the format %j is %j", (generationConfig, response_format) => {
    expect(read({ generationConfig }).request.response_format).toEqual(response_format);
  });
  test("names in snake_case are read as well, what belongs to the caller is not renamed", () => {
    const { request } = read({
      system_instruction: { parts: [{ text: "s" }] },
      generation_config: { max_output_tokens: 5, response_json_schema: { properties: { a_b: {} } } },
      contents: [{ role: "model", parts: [{ function_call: { name: "f", args: { a_b: 1 } } }] }],
      tools: [{ function_declarations: [{ name: "f", parameters_json_schema: { properties: { c_d: {} } } }] }],
    });
    expect(request.max_completion_tokens).toBe(5);
    expect(request.messages[0]).toEqual({ role: "system", content: "s" });
    const text = JSON.stringify(request);
    for (const own of ['{\\"a_b\\":1}', '"c_d"', '"a_b"']) expect(text).toContain(own);
  });
  test("what has no counterpart is named", () => {
    const { notes } = read({
      safetySettings: [{}],
      labels: { team: "x" },
      generationConfig: { speechConfig: {}, responseMimeType: "text/x.enum" },
    });
    expect(notes.warnings.map((warning) => warning.split("`")[1])).toEqual([
      ...["safetySettings", "labels", "generationConfig.speechConfig", "generationConfig.responseMimeType"],
    ]);
  });
});

describe("tools", () => {
  const declared = [{ functionDeclarations: [{ name: "f" }, { name: "g" }] }];
  const choose = (functionCallingConfig: object) =>
    read({ tools: declared, toolConfig: { functionCallingConfig } }).request.tool_choice;
  const named = (name: string) => ({ type: "function", function: { name } });
  test.each([
    [{ mode: "AUTO" }, "auto"],
    [{ mode: "NONE" }, "none"],
    [{ mode: "ANY" }, "required"],
    [{ mode: "ANY", allowedFunctionNames: ["f"] }, named("f")],
    [
      { mode: "ANY", allowedFunctionNames: ["f", "g"] },
      { type: "allowed_tools", allowed_tools: { mode: "required", tools: [named("f"), named("g")] } },
    ],
    [
      { mode: "AUTO", allowedFunctionNames: ["f"] },
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [named("f")] } },
    ],
    [{ mode: "VALIDATED" }, "auto"],
  ])("the choice %j is %j", (config, choice) => {
    expect(choose(config)).toEqual(choice);
  });
  test("a choice without a function to choose is not asked for", () => {
    const toolConfig = { functionCallingConfig: { mode: "ANY" } };
    expect(read({ tools: [{ googleSearch: {} }], toolConfig }).request).not.toHaveProperty("tool_choice");
  });
  test("functions of several tools are one list, each traced to its declaration; the search is ours", () => {
    const tools = [{ googleSearch: {} }, { functionDeclarations: [{ name: "f", behavior: "BLOCKING" }] }];
    const { request, notes } = read({ tools });
    expect(request.tools).toEqual([{ type: "function", function: { name: "f" } }]);
    expect(request.web_search_options).toEqual({});
    expect(notes.origins.get("tools.0")).toBe("tools.1.functionDeclarations.0");
    expect(notes.warnings[0]).toMatch(/^`tools.1.functionDeclarations.0.behavior`/);
  });
});

test("the vendor's form of a schema is JSON Schema", () => {
  const schema = {
    type: "OBJECT",
    nullable: true,
    propertyOrdering: ["a"],
    properties: {
      a: { type: "STRING", enum: ["x"], nullable: true, minLength: "1", example: "x" },
      type: { anyOf: [{ type: "NUMBER" }, { type: "ARRAY", items: { type: "INTEGER" }, maxItems: "3" }] },
      none: { anyOf: [{ type: "STRING" }, { type: "INTEGER" }], nullable: true },
    },
    required: ["a"],
  };
  expect(toJsonSchema(schema)).toEqual({
    type: ["object", "null"],
    properties: {
      a: { type: ["string", "null"], enum: ["x", null], minLength: 1 },
      type: { anyOf: [{ type: "number" }, { type: "array", items: { type: "integer" }, maxItems: 3 }] },
      none: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
    },
    required: ["a"],
  });
});

test.each([
  [{ contents: undefined }, "contents"],
  [{ generationConfig: { temperature: 3 } }, "generationConfig.temperature"],
  [{ generation_config: { max_output_tokens: 0 } }, "generationConfig.maxOutputTokens"],
  [{ contents: [{ role: "robot", parts: [] }] }, "contents.0.role"],
  [{ contents: [{ parts: [{ functionCall: { name: "f" } }] }] }, "contents.0.parts.0.functionCall"],
  [{ contents: [{ parts: [{ functionResponse: { name: "f" } }] }] }, "contents.0.parts.0.functionResponse.name"],
  [
    { contents: [{ role: "model", parts: [{ inlineData: { mimeType: "audio/wav", data: "" } }] }] },
    "contents.0.parts.0.inlineData",
  ],
  [
    { systemInstruction: { parts: [{ inlineData: { mimeType: "image/png", data: "" } }] } },
    "systemInstruction.parts.0",
  ],
  [{ tools: [{ codeExecution: {} }] }, "tools.0.codeExecution"],
  [{ cachedContent: "cachedContents/1" }, "cachedContent"],
  [{ toolConfig: { functionCallingConfig: { mode: "SOME" } } }, "toolConfig.functionCallingConfig.mode"],
])("%j is refused and names %s", (body, param) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
});
