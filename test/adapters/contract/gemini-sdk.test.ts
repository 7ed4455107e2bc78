import { type GenerateContentParameters, GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fromWire } from "../../../adapters/shared/gemini/from-wire.ts";
import { toWire } from "../../../adapters/shared/gemini/to-wire.ts";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { startUpstream, type Upstream } from "../../../src/testing/conformance/provider/upstream.ts";
import { pairedNames, readAnswer, readBytes, recordedCall } from "../../fixtures/native.ts";

/** Answers with the fixture that the model is named after. */
let vendor: Upstream;
let sdk: GoogleGenAI;

beforeAll(async () => {
  // The SDK says on the console whenever a text is asked of an answer that holds more than text.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vendor = await startUpstream(({ path }, response) => {
    const name = /models\/([^:]+):/.exec(path)?.[1];
    const isStream = path.includes("alt=sse");
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? readBytes(`gemini/${name}.sse`) : JSON.stringify(readAnswer(`gemini/${name}.json`)));
  });
  sdk = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: vendor.url } });
});

afterAll(() => vendor.close());

const hi = { contents: "Hi" };

describe("the vendor's own SDK", () => {
  it.each(pairedNames("gemini"))("reads text, calls and usage of %s as we do, whole and streamed", async (name) => {
    const ours = fromWire(readAnswer(`gemini/${name}.json`), { provider: "gemini", call: recordedCall(name) });
    const message = ours.choices[0]?.message;
    const whole = await sdk.models.generateContent({ model: name, ...hi });
    const texts: string[] = [];
    const calls: unknown[] = [];
    for await (const chunk of await sdk.models.generateContentStream({ model: name, ...hi })) {
      texts.push(chunk.text ?? "");
      calls.push(...(chunk.functionCalls ?? []));
    }
    expect([whole.text ?? "", texts.join("")]).toEqual([message?.content ?? "", message?.content ?? ""]);
    const named = (message?.tool_calls ?? []).map(({ function: called }) => called?.name);
    expect(
      [whole.functionCalls ?? [], calls].map((list) => list.map((call) => (call as { name: string }).name)),
    ).toEqual([named, named]);
    expect(whole.usageMetadata?.totalTokenCount).toBe(ours.usage?.total_tokens);
  });

  const signature = "c2lnbmF0dXJl";
  const schema = { type: "object", properties: { city: { type: "string" } }, additionalProperties: false };
  const request: ChatRequest = {
    model: "gemini/text",
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0K" } },
        ],
      },
      {
        role: "assistant",
        reasoning_details: [{ type: "reasoning.encrypted", index: 0, id: "fc-1", data: signature }],
        tool_calls: [{ id: "fc-1", type: "function", function: { name: "f", arguments: '{"city":"Graz"}' } }],
      },
      { role: "tool", tool_call_id: "fc-1", content: "sun" },
    ],
    tools: [{ type: "function", function: { name: "f", description: "F", parameters: schema } }],
    tool_choice: { type: "function", function: { name: "f" } },
    temperature: 0.5,
    max_completion_tokens: 9,
    stop: ["END"],
    seed: 3,
    logprobs: true,
    top_logprobs: 2,
    response_format: { type: "json_schema", json_schema: { schema } },
    reasoning: { effort: "low" },
    service_tier: "flex",
    web_search_options: {},
  };
  const theirs = {
    model: "text",
    contents: [
      { role: "user", parts: [{ text: "See" }, { inlineData: { mimeType: "image/png", data: "iVBORw0K" } }] },
      {
        role: "model",
        parts: [{ functionCall: { id: "fc-1", name: "f", args: { city: "Graz" } }, thoughtSignature: signature }],
      },
      { role: "user", parts: [{ functionResponse: { id: "fc-1", name: "f", response: { output: "sun" } } }] },
    ],
    config: {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      tools: [
        { functionDeclarations: [{ name: "f", description: "F", parametersJsonSchema: schema }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      temperature: 0.5,
      maxOutputTokens: 9,
      stopSequences: ["END"],
      seed: 3,
      responseLogprobs: true,
      logprobs: 2,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true },
      serviceTier: "flex",
    },
  } as GenerateContentParameters;

  it("writes a request of ours as we write it", async () => {
    const call = recordedCall("gemini-3.8-flash");
    const ours = toWire(request, { provider: "gemini", call, filesUrl: "" });
    await sdk.models.generateContent(theirs);
    expect(vendor.observation.at(-1)?.body).toEqual(JSON.parse(JSON.stringify(ours)));
    expect(call.warnings).toEqual([]);
  });
});
