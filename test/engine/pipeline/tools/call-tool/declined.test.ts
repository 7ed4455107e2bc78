import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { serve } from "../../../../http/support/server.ts";

/** A server whose tool asks its client for what the tool's name says, and answers with the error that it gets. */
async function askingServer(): Promise<string> {
  const server = new Server(
    { name: "asks", version: "1" },
    { capabilities: { tools: {} }, enforceStrictCapabilities: false },
  );
  const questions: Record<string, object> = {
    "sampling/createMessage": { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 5 },
    "elicitation/create": { message: "Who are you?", requestedSchema: { type: "object", properties: {} } },
    "roots/list": {},
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(questions).map((name) => ({ name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }, extra) => {
    const asked = extra.sendRequest(
      { method: name, params: questions[name] } as never,
      { parse: (all: unknown) => all } as never,
    );
    const text = await asked.then(
      (answer) => `answered ${JSON.stringify(answer)}`,
      ({ code }: { readonly code: number }) => `declined ${code}`,
    );
    return { content: [{ type: "text", text }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "s1" });
  await server.connect(transport as never);
  const http = await serve((request, response) => void transport.handleRequest(request, response));
  onTestFinished(() => http[Symbol.asyncDispose]());
  return `${http.url}/mcp`;
}

it("what a server asks of its client is declined by the protocol's error, and spends nothing", async () => {
  const asked: unknown[] = [];
  const chat = async (request: unknown) => {
    asked.push(request);
    throw new Error("a model was asked");
  };
  const url = await askingServer();
  const engine = createEngine({
    ...scriptedWorld(),
    providers: [{ name: "a", chat }],
    mcp: { servers: { asks: { url } } },
  });
  onTestFinished(() => engine.close({ graceMs: 0 }));
  const { tools } = await engine.mcp.tools();
  expect(tools).toHaveLength(3);
  for (const { name } of tools)
    expect((await engine.mcp.call({ name })).content).toEqual([{ type: "text", text: "declined -32601" }]);
  expect(asked).toEqual([]);
});
