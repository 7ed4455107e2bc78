import { expect, it } from "vitest";
import { toWire } from "../../../../adapters/providers/bedrock/to-wire.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { recordedCall } from "../../../fixtures/native.ts";

const called = (name: string, id: string) => ({ id, type: "function", function: { name, arguments: "{}" } });
const history: ChatRequest["messages"] = [
  { role: "user", content: "go" },
  { role: "assistant", content: null, tool_calls: [called("ls", "c1"), called("cat", "c2"), called("ls", "c3")] },
  { role: "tool", tool_call_id: "c1", content: "a.txt" },
  { role: "user", content: "summarise" },
];

function write(messages: ChatRequest["messages"], fields: Partial<ChatRequest> = {}) {
  const call = recordedCall("us.anthropic.claude-sonnet-4-5-20250929-v1:0");
  const { toolConfig } = toWire({ model: "bedrock/m", messages, ...fields }, { provider: "bedrock", call });
  return { toolConfig, warnings: call.warnings };
}

it("calls in the history of a request without tools bring their names as tools", () => {
  const { toolConfig, warnings } = write(history);
  const spec = (name: string) => ({ toolSpec: { name, inputSchema: { json: { type: "object" } } } });
  expect(toolConfig).toEqual({ tools: [spec("ls"), spec("cat")] });
  expect(warnings).toEqual([expect.stringContaining("`tools` are missing")]);
});

it("results without their calls bring a tool, too", () => {
  expect(write(history.filter(({ role }) => role !== "assistant")).toolConfig?.tools).toHaveLength(1);
});

it("a conversation without calls brings none, and the tools of the request stay what they are", () => {
  expect(write(history.slice(0, 1))).toEqual({ toolConfig: undefined, warnings: [] });
  const tools = [{ type: "function" as const, function: { name: "own" } }];
  expect(write(history, { tools }).toolConfig?.tools).toMatchObject([{ toolSpec: { name: "own" } }]);
});

it("a result of a tool that failed has the status of an error", () => {
  const failed = { role: "tool" as const, tool_call_id: "c1", content: "no", is_error: true };
  const call = recordedCall("us.anthropic.claude-sonnet-4-5-20250929-v1:0");
  const { messages } = toWire(
    { model: "bedrock/m", messages: [...history.slice(0, 2), failed] },
    { provider: "b", call },
  );
  expect(messages[2]?.content[0]).toMatchObject({ toolResult: { toolUseId: "c1", status: "error" } });
});
