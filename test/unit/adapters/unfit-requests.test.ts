import { expect, it } from "vitest";
import { anthropic } from "../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../adapters/providers/cohere/index.ts";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { local } from "../../../adapters/providers/local/index.ts";
import type { ChatRequest } from "../../../src/api/chat.ts";
import type { ChatMessage } from "../../../src/api/message.ts";
import { createEngine } from "../../../src/index.ts";
import { playedTransport } from "../../fixtures/native.ts";

const transport = playedTransport({});
const [apiKey, region] = ["k", "us-east-1"];
const vendors = {
  anthropic: anthropic({ apiKey, transport }),
  bedrock: bedrock({ apiKey, region, transport }),
  cohere: cohere({ apiKey, transport }),
  gemini: gemini({ apiKey, transport }),
};
type Vendor = keyof typeof vendors;
const user = (...content: object[]) => ({ role: "user", content }) as ChatMessage;
const answered = (message: object) => ({ role: "assistant", ...message }) as ChatMessage;
const sound = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
const picture = { type: "image_url", image_url: { url: "https://example.org/a.png" } };

/** Asks a vendor, and whoever takes anything after it. */
async function ask(vendor: Vendor, rest: Partial<ChatRequest>, fallbacks: string[]) {
  const engine = createEngine({ providers: [vendors[vendor], local()] });
  const messages = [user({ type: "text", text: "Hi" })];
  const call = engine.chat({ model: `${vendor}/m`, fallbacks, messages, ...rest });
  const answer = await call.catch((thrown) => thrown);
  await engine.close();
  expect(transport.asked).toEqual([]);
  return answer;
}

const unfit: [Vendor, string, Partial<ChatRequest>][] = [
  ["anthropic", "messages.0.content.0", { messages: [user(sound)] }],
  ["cohere", "messages.0.content.0", { messages: [user(sound)] }],
  ["bedrock", "messages.0.content.0.image_url.url", { messages: [user(picture)] }],
  ["gemini", "messages.1.audio", { messages: [user(sound), answered({ audio: { id: "a" } })] }],
  ["cohere", "response_format.type", { response_format: { type: "grammar" } }],
];

it.each(unfit)("what %s cannot be sent, %s, goes to the next candidate", async (vendor, param, rest) => {
  expect(await ask(vendor, rest, ["local/echo"])).toMatchObject({ extra_fields: { provider: "local" } });
  expect(await ask(vendor, rest, [])).toMatchObject({ code: "unsupported_operation", status: 400, param });
});

it.each(["anthropic", "bedrock"] as const)("what is missing for %s is nobody's to mend", async (vendor) => {
  const messages = [user({ type: "file", file: { filename: "a.pdf" } })];
  const failure = await ask(vendor, { messages }, ["local/echo"]);
  expect(failure).toMatchObject({ code: "invalid_request", status: 400, param: "messages.0.content.0.file" });
});
