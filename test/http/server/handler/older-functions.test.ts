import { expect, test } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { createListener } from "../../../../src/http/server/node.ts";
import { engineDouble } from "../../support/engine-double.ts";
import { post, serve, stillClock } from "../../support/server.ts";

const call = { index: 0, id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } };
const body = {
  model: "double/m",
  functions: [{ name: "f", parameters: { type: "object" } }],
  function_call: { name: "f" },
  messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
    { role: "function", name: "f", content: "r" },
  ],
};

async function ask(path: string, stream: boolean) {
  const asked: ChatRequest[] = [];
  const engine = engineDouble({
    chat: async (request: never) => {
      asked.push(request);
      const message = { role: "assistant", content: null, tool_calls: [call] };
      return {
        id: "1",
        model: "m",
        created: 1,
        choices: [{ index: 0, finish_reason: "tool_calls", message }],
      } as never;
    },
    streamChat: async (request: never) => {
      asked.push(request);
      return (async function* () {
        yield { id: "1", choices: [{ index: 0, finish_reason: null, delta: { tool_calls: [call] } }] };
        yield { id: "1", choices: [{ index: 0, finish_reason: "tool_calls", delta: {} }] };
      })() as never;
    },
  });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  const response = await post(server.url + path, { ...body, stream });
  return { asked: asked[0], text: await response.text() };
}

test.each(["/v1/chat/completions", "/openai/v1/chat/completions"])(
  "%s: the deprecated functions are tools to the engine and functions again to the client, whole and streamed",
  async (path) => {
    const whole = await ask(path, false);
    expect(whole.asked).toMatchObject({
      tools: [{ type: "function", function: { name: "f" } }],
      tool_choice: { type: "function", function: { name: "f" } },
      parallel_tool_calls: false,
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "call_1", type: "function", function: { name: "f" } }] },
        { role: "tool", tool_call_id: "call_1", content: "r" },
      ],
    });
    expect(whole.asked).not.toHaveProperty("functions");
    expect(JSON.parse(whole.text).choices[0]).toMatchObject({
      finish_reason: "function_call",
      message: { function_call: { name: "f", arguments: '{"a":1}' } },
    });
    expect(whole.text).not.toContain("tool_calls");
    const streamed = await ask(path, true);
    expect(streamed.text).toContain('"function_call":{"name":"f","arguments":"{\\"a\\":1}"}');
    expect(streamed.text).toContain('"finish_reason":"function_call"');
    expect(streamed.text).not.toContain("tool_calls");
  },
);
