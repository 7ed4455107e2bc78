import { expect, it } from "vitest";
import type { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import { createFetch } from "../../../../../src/http/server/fetch.ts";
import { echo, engineDouble } from "../../../support/engine-double.ts";

/** A function that takes further arguments, as zod 4 writes it for a loose object, and with it servers of MCP. */
const schema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: {} };
const named = { name: "f", parameters: schema };
const messages = [{ role: "user", content: "Go" }];

it.each([
  ["/v1/responses", { input: "Go", tools: [{ type: "function", ...named }] }],
  ["/anthropic/v1/messages", { max_tokens: 9, messages, tools: [{ name: "f", input_schema: schema }] }],
  [
    "/genai/v1beta/models/double/m:generateContent",
    {
      contents: [{ parts: [{ text: "Go" }] }],
      tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] }],
    },
  ],
  ["/cohere/v2/chat", { messages, tools: [{ type: "function", function: named }] }],
])("the empty schema of further arguments is what the canonical request calls true: %s", async (path, asked) => {
  const engine = engineDouble({ chat: async (request) => echo(request as ChatRequest) });
  const headers = { "content-type": "application/json", "x-tg-key": "sk-tg-1" };
  const body = JSON.stringify({ model: "double/m", ...asked });
  await createFetch(engine)(`http://engine${path}`, { method: "POST", headers, body });
  const request = engine.asked[0]?.request as ChatRequest;
  expect(request.tools?.[0]?.function?.parameters).toEqual({ ...schema, additionalProperties: true });
});
