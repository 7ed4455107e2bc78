import { expect, test } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { createEngine } from "../../../../src/index.ts";
import { chatCompletion, claudeMessage, postJson, scriptedVendor } from "../../support/dialects/scripted-vendor.ts";

const use = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
const page = {
  type: "web_search_result",
  url: "http://a.example",
  title: "A",
  encrypted_content: "EEE",
  page_age: null,
};
const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [page] };
const text = { type: "text", text: "found" };
const usage = { input_tokens: 1, output_tokens: 1 };
const deltas = ['{"que', 'ry":"q"}'].map((partial_json) => ({ type: "input_json_delta", partial_json }));
const events = [
  { type: "message_start", message: { ...claudeMessage([]), stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { ...use, input: {} } },
  ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: result },
  { type: "content_block_stop", index: 1 },
  { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "found" } },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
];
const vendor = scriptedVendor((body) => {
  if (!("max_tokens" in body)) return chatCompletion("ok");
  return body.stream ? events : claudeMessage([use, result, text]);
});
const { fetch, seen } = vendor;
const path = "/anthropic/v1/messages";
const user = { role: "user", content: "go" };
const history = [user, { role: "assistant", content: [use, result, text] }, user];

async function ask(model: string, body: object) {
  const engine = createEngine({ providers: [anthropic({ apiKey: "k", fetch }), openai({ apiKey: "k", fetch })] });
  const answer = await postJson(engine, { path, body: { model, max_tokens: 50, messages: [user], ...body } });
  await engine.close();
  expect(answer.status).toBe(200);
  return answer;
}

test("what the vendor's search did and found comes back whole, in its place", async () => {
  const { content } = JSON.parse((await ask("anthropic/claude-sonnet-4-5", {})).text);
  expect(content).toEqual([use, result, { ...text, citations: null }]);
});

test("and streamed", async () => {
  const { text: stream } = await ask("anthropic/claude-sonnet-4-5", { stream: true });
  const frames = stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)));
  const begun = frames.filter(({ type }) => type === "content_block_start").map((event) => event.content_block);
  expect(begun).toEqual([use, result, { type: "text", text: "", citations: null }]);
});

test("it goes back to the vendor as it was", async () => {
  const { warnings } = await ask("anthropic/claude-sonnet-4-5", { messages: history });
  expect(seen.at(-1)?.body.messages).toEqual([user, { role: "assistant", content: [use, result, text] }, user]);
  expect(warnings).toBeNull();
});

test("another vendor is not sent it, and a warning says so", async () => {
  const { warnings } = await ask("openai/gpt-5", { messages: history });
  expect(JSON.stringify(seen.at(-1)?.body)).not.toContain("EEE");
  expect(JSON.stringify(seen.at(-1)?.body)).toContain("found");
  expect(warnings).toContain("is not supported by openai");
});
