import { describe, expect, test } from "vitest";
import { fitting } from "../../../../adapters/shared/fitting/fitting.ts";
import type { VendorFormName } from "../../../../adapters/shared/fitting/vendor-forms.ts";
import type { ChatChunk, ChatRequest, ChatResponse } from "../../../../src/engine/api/chat.ts";
import type { Tool } from "../../../../src/engine/api/tools.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import { recordedCall } from "../../../fixtures/native.ts";

/** A vendor that calls the first tool it is offered, and what it was asked. */
function vendor(form: VendorFormName) {
  const asked: ChatRequest[] = [];
  const calls = ({ tools }: ChatRequest) => [
    { index: 0, id: "c", type: "function", function: { name: tools?.[0]?.function?.name, arguments: "{}" } },
  ];
  const provider = fitting(
    {
      name: "vendor",
      chat: async (request: ChatRequest, _call: ProviderCall) => {
        asked.push(request);
        const message = { role: "assistant", content: null, tool_calls: calls(request) };
        return { id: "1", choices: [{ index: 0, finish_reason: "tool_calls", message }] } as ChatResponse;
      },
      async *streamChat(request: ChatRequest, _call: ProviderCall) {
        asked.push(request);
        const delta = { role: "assistant", tool_calls: calls(request) };
        yield { id: "1", choices: [{ index: 0, finish_reason: null, delta }] } as ChatChunk;
      },
    },
    form,
  );
  return { asked, provider };
}

const tool = (name: string, parameters?: Record<string, unknown>, strict?: boolean): Tool => ({
  type: "function",
  function: { name, ...(parameters && { parameters }), ...(strict === undefined ? {} : { strict }) },
});
const request = (tools: Tool[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "m",
  messages: [{ role: "user", content: "go" }],
  tools,
  ...more,
});

async function ask(form: VendorFormName, body: ChatRequest) {
  const { asked, provider } = vendor(form);
  const call = recordedCall("m");
  const answer = await provider.chat(body, call);
  const streamed: ChatChunk[] = [];
  for await (const chunk of provider.streamChat(body, call)) streamed.push(chunk);
  return {
    sent: asked[0] as ChatRequest,
    isSame: asked.every((each) => JSON.stringify(each) === JSON.stringify(asked[0])),
    called: answer.choices[0]?.message.tool_calls?.[0]?.function?.name,
    streamed: streamed[0]?.choices[0]?.delta.tool_calls?.[0]?.function?.name,
    warnings: call.warnings,
  };
}

describe("names of tools", () => {
  test.each<[VendorFormName, string, string]>([
    ["openai", "github/list.issues", "github_list_issues"],
    ["claude", "github/list.issues", "github_list_issues"],
    ["gemini", "github/list.issues", "github_list.issues"],
    ["gemini", "2fa", "_2fa"],
    ["cohere", "get-weather", "get_weather"],
    ["converse", "日本", "__"],
  ])("%s is sent %s as %s, and the call has its own name again", async (form, name, sent) => {
    const result = await ask(form, request([tool(name)]));
    expect(result.sent.tools?.[0]?.function?.name).toBe(sent);
    expect([result.called, result.streamed, result.isSame]).toEqual([name, name, true]);
  });

  test("that are taken are sent as they are, in the caller's own request", async () => {
    const body = request([tool("get_weather")]);
    expect((await ask("openai", body)).sent).toBe(body);
  });

  test("that would be the same are told apart, and long ones end in a digest", async () => {
    const names = ["a_b", "a.b", "a/b", `x${"y".repeat(80)}`, `x${"y".repeat(81)}`];
    const { sent } = await ask("openai", request(names.map((name) => tool(name))));
    const written = sent.tools?.map((each) => each.function?.name ?? "") ?? [];
    expect(new Set(written).size).toBe(names.length);
    expect(written[0]).toBe("a_b");
    for (const name of written) expect(name).toMatch(/^[\w-]{1,64}$/);
  });

  test("are the same in choice and history", async () => {
    const { sent } = await ask(
      "openai",
      request([tool("a.b"), { type: "custom", custom: { name: "c d" } }], {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "a.b" } }] },
        },
        messages: [
          { role: "user", content: "go" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "1", type: "function", function: { name: "a.b", arguments: "{}" } },
              { id: "2", type: "custom", custom: { name: "c d", input: "" } },
            ],
          },
          { role: "tool", tool_call_id: "1", name: "a.b", content: "r" },
          { role: "tool", tool_call_id: "2", content: "r" },
        ],
      }),
    );
    expect(JSON.stringify(sent)).not.toMatch(/a\.b|c d/);
    expect(sent.tool_choice).toMatchObject({ allowed_tools: { tools: [{ function: { name: "a_b" } }] } });
    expect(sent.messages[1]?.tool_calls).toMatchObject([{ function: { name: "a_b" } }, { custom: { name: "c_d" } }]);
    expect(sent.messages[2]?.name).toBe("a_b");
  });
});

describe("schemas of tools", () => {
  const a = { type: "object", properties: { kind: { const: "a" }, x: { type: "string" } }, required: ["kind", "x"] };
  const b = { type: "object", properties: { kind: { const: "b" }, y: { type: "number" } }, required: ["kind", "y"] };

  test.each(["anyOf", "oneOf"])(
    "with %s at the top are one object for OpenAI and Claude, and as they are for Gemini",
    async (keyword) => {
      const parameters = { [keyword]: [a, { $ref: "#/$defs/b" }], $defs: { b } };
      const { sent, warnings } = await ask("openai", request([tool("f", parameters)]));
      expect(sent.tools?.[0]?.function?.parameters).toEqual({
        type: "object",
        properties: {
          kind: { anyOf: [{ const: "a" }, { const: "b" }] },
          x: { type: "string" },
          y: { type: "number" },
        },
        required: ["kind"],
        $defs: { b },
      });
      expect(warnings[0]).toContain("`tools.0.function.parameters` is sent as one object");
      expect((await ask("gemini", request([tool("f", parameters)]))).sent.tools?.[0]?.function?.parameters).toBe(
        parameters,
      );
    },
  );

  test("with all of several, or a reference, at the top have the fields of all", async () => {
    const { sent } = await ask(
      "claude",
      request([
        tool("f", { allOf: [a, { properties: { z: {} } }] }),
        tool("g", { $ref: "#/definitions/b", definitions: { b } }),
      ]),
    );
    expect(sent.tools?.[0]?.function?.parameters).toMatchObject({
      properties: { x: {}, z: {} },
      required: ["kind", "x"],
    });
    expect(sent.tools?.[1]?.function?.parameters).toMatchObject({ properties: { y: {} }, required: ["kind", "y"] });
  });

  test("that refer to themselves, or multiply, end", async () => {
    const twice = (name: string) => ({ anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const definitions = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`d${at}`, twice(`d${at + 1}`)]));
    const { sent } = await ask(
      "openai",
      request([
        tool("f", { ...twice("d0"), $defs: definitions }),
        tool("g", { $ref: "#/$defs/s", $defs: { s: { $ref: "#/$defs/s" } } }),
      ]),
    );
    expect(sent.tools?.map((each) => each.function?.parameters?.type)).toEqual(["object", "object"]);
  });

  test("have references alone where the vendor takes no others: Gemini always, OpenAI in strict ones", async () => {
    const parameters = {
      type: "object",
      properties: { p: { $ref: "#/$defs/x", description: "the x" }, $ref: { type: "string" } },
      $defs: { x: { type: "object", default: { $ref: "data", other: 1 } } },
    };
    const bare = { ...parameters.properties, p: { description: "the x", anyOf: [{ $ref: "#/$defs/x" }] } };
    const of = async (form: VendorFormName, strict: boolean) =>
      (await ask(form, request([tool("f", parameters, strict)]))).sent.tools?.[0]?.function?.parameters?.properties;
    expect(await of("gemini", false)).toEqual(bare);
    expect(await of("openai", true)).toEqual(bare);
    expect(await of("openai", false)).toBe(parameters.properties);
    const format = { type: "json_schema" as const, json_schema: { name: "n", schema: parameters } };
    const { sent } = await ask("gemini", request([], { response_format: format }));
    expect(sent.response_format).toMatchObject({ json_schema: { schema: { properties: bare } } });
  });
});
