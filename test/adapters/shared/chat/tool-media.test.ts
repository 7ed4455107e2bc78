import { expect, it } from "vitest";
import { azure } from "../../../../adapters/providers/compatible/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import type { ChatMessage } from "../../../../src/engine/api/message.ts";
import { playedTransport, recordedCall } from "../../../fixtures/native.ts";

const image = { type: "image_url" as const, image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const file = { type: "file" as const, file: { file_id: "f" } };
const text = { type: "text" as const, text: "See:" };
const result = (id: string, content: ChatMessage["content"]) => ({ role: "tool" as const, tool_call_id: id, content });

const vendors = {
  openai: (transport: ReturnType<typeof playedTransport>) => openai({ apiKey: "k", transport }),
  azure: (transport: ReturnType<typeof playedTransport>) =>
    azure({ apiKey: "k", baseUrl: "https://a.test", transport }),
};

async function send(name: keyof typeof vendors, messages: ChatMessage[]) {
  const transport = playedTransport({ bodies: [{ choices: [{ message: { content: "Hi" } }] }] });
  const call = recordedCall("m");
  await vendors[name](transport).chat?.({ model: "any/m", messages }, call);
  return { messages: transport.asked[0]?.body.messages, warnings: call.warnings };
}

it.each(["openai", "azure"] as const)(
  "what a tool gave beside text is said by the user behind all results: %s",
  async (name) => {
    const calls = ["a", "b"].map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } }));
    const asked: ChatMessage = { role: "assistant", content: null, tool_calls: calls };
    const more: ChatMessage = { role: "user", content: "And?" };
    const sent = await send(name, [asked, result("a", [text, image]), result("b", [file]), more, result("c", [image])]);
    expect(sent.messages).toEqual([
      asked,
      result("a", [text]),
      result("b", ""),
      { role: "user", content: [image, file] },
      more,
      result("c", ""),
      { role: "user", content: [image] },
    ]);
    expect(sent.warnings.map((warning) => warning.split("`")[1])).toEqual([1, 2, 4].map((at) => `messages.${at}`));
  },
);

it("results of text are sent as they are", async () => {
  const messages = [result("a", [text]), result("b", "plain")];
  expect(await send("openai", messages)).toEqual({ messages, warnings: [] });
});
