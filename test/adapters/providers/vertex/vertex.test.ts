import { expect, it } from "vitest";
import { type VertexOptions, vertex } from "../../../../adapters/providers/vertex/index.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { collect, failureOf, playedTransport, readAnswer, recordedCall } from "../../../fixtures/native.ts";

const place = { project: "my-project", location: "global" };
const request: ChatRequest = { model: "vertex/m", messages: [{ role: "user", content: "Hi" }] };

it.each([
  ["global", "https://aiplatform.googleapis.com"],
  ["eu", "https://aiplatform.eu.rep.googleapis.com"],
  ["us-east5", "https://us-east5-aiplatform.googleapis.com"],
])("asks at the address of %s, with a token that is good now", async (location, origin) => {
  let given = 0;
  const transport = playedTransport({ bodies: [1, 2].map(() => readAnswer("anthropic/text.json")) });
  const provider = vertex({ ...place, location, transport, accessToken: () => `ya29.token-${++given}` });
  for (const number of [1, 2]) {
    await provider.chat?.(request, recordedCall("claude-sonnet-4-5@20250929"));
    expect(transport.asked.at(-1)?.headers.authorization).toBe(`Bearer ya29.token-${number}`);
  }
  const path = `/v1/projects/my-project/locations/${location}/publishers/anthropic/models`;
  expect(transport.asked[0]?.url).toBe(`${origin}${path}/claude-sonnet-4-5%4020250929:rawPredict`);
});

it("counts Gemini's and Claude's tokens where each is counted", async () => {
  const transport = playedTransport({ bodies: [{ totalTokens: 7 }, { input_tokens: 9 }] });
  const provider = vertex({ ...place, transport, accessToken: "t" });
  expect(await provider.countTokens?.(request, recordedCall("gemini-2.5-pro"))).toBe(7);
  expect(await provider.countTokens?.(request, recordedCall("claude-opus-4-1"))).toBe(9);
  const [gemini, claude] = transport.asked;
  expect(gemini?.url).toMatch(/publishers\/google\/models\/gemini-2\.5-pro:countTokens$/);
  expect(gemini?.body).toEqual({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] });
  expect(claude?.url).toMatch(/publishers\/anthropic\/models\/count-tokens:rawPredict$/);
  expect(claude?.body).toEqual({
    anthropic_version: "vertex-2023-10-16",
    model: "claude-opus-4-1",
    messages: request.messages,
  });
});

it("who gives no token is told, and another candidate asked; the reason is no secret's place", async () => {
  const transport = playedTransport({});
  const accessToken = () => Promise.reject(new Error("metadata server said ya29.secret-token"));
  const provider = vertex({ ...place, transport, accessToken });
  const failure = await failureOf(provider.chat?.(request, recordedCall("gemini-2.5-pro")) as Promise<unknown>);
  expect(failure).toMatchObject({ code: "upstream_credentials_exhausted", param: "accessToken" });
  expect(failure.message).not.toContain("ya29");
  expect(transport.asked).toEqual([]);
});

it.each([
  [{ project: "", location: "global" }, "project"],
  [{ project: "p", location: "../evil" }, "location"],
  [{ ...place, accessToken: " " }, "accessToken"],
] as [VertexOptions, string][])("refuses options that cannot be used: %#", (options, param) => {
  expect(() => vertex(options)).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
});

it("only Claude goes on from where an answer broke off", async () => {
  const transport = playedTransport({ pieces: [] });
  const provider = vertex({ ...place, transport, accessToken: "t" });
  const messages = [...request.messages, { role: "assistant" as const, content: "Hel" }];
  const code = "unsupported_operation";
  expect(() => provider.continueChat?.(request, recordedCall("gemini-2.5-pro"))).toThrow(
    expect.objectContaining({ code }),
  );
  await failureOf(collect(provider.continueChat?.({ ...request, messages }, recordedCall("claude-opus-4-1"))));
  expect(transport.asked[0]?.body.messages).toContainEqual({ role: "assistant", content: "Hel" });
});

it("a second message that begins inside of Claude's first is no answer", async () => {
  const begin = { type: "message_start", message: { id: "m", content: [] } };
  const events = [
    begin,
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hal" } },
    begin,
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const transport = playedTransport({ pieces: [new TextEncoder().encode(text)] });
  const provider = vertex({ ...place, transport, accessToken: "t" });
  const failure = await failureOf(collect(provider.streamChat?.(request, recordedCall("claude-opus-4-1"))));
  expect(failure).toMatchObject({ code: "upstream_invalid_response", provider: "vertex" });
});
