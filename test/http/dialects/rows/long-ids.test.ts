import { expect, it } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { createFetch } from "../../../../src/http/server/fetch.ts";
import { echo, engineDouble } from "../../support/engine-double.ts";

/** A 64-bit identifier, and a number that is none; as a client writes them. */
const args = '{"id":1234567890123456789,"ids":[-9223372036854775808],"part":0.12345678901234568,"few":3}';
const parameters = '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}';

const ofAnthropic = `{"model":"double/m","max_tokens":9,"tools":[{"name":"f","input_schema":${parameters}}],"messages":[
  {"role":"user","content":"Go"},
  {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":${args}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"Done"}]}]}`;
const ofGoogle = `{"tools":[{"functionDeclarations":[{"name":"f","parameters_json_schema":${parameters}}]}],"contents":[
  {"role":"user","parts":[{"text":"Go"}]},
  {"role":"model","parts":[{"function_call":{"id":"t","name":"f","args":${args}}}]},
  {"role":"user","parts":[{"functionResponse":{"id":"t","name":"f","response":{"output":"Done"}}}]}],
  "generationConfig":{"maxOutputTokens":9}}`;

it.each([
  ["anthropic", "/anthropic/v1/messages", ofAnthropic],
  ["genai", "/genai/v1beta/models/double/m:generateContent", ofGoogle],
])(
  "arguments and schemas that come as objects keep the digits of long whole numbers: %s",
  async (_name, path, body) => {
    const engine = engineDouble({ chat: async (request) => echo(request as ChatRequest) });
    const headers = { "content-type": "application/json", "x-tg-key": "sk-tg-1" };
    const answer = await createFetch(engine)(`http://engine${path}`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    const asked = engine.asked[0]?.request as ChatRequest;
    expect(asked.messages[1]?.tool_calls?.[0]?.function?.arguments).toBe(args);
    expect(JSON.stringify(asked.tools?.[0]?.function?.parameters)).toBe(parameters);
    expect(asked.max_completion_tokens).toBe(9);
  },
);
