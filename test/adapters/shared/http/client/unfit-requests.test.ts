import { expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../../adapters/providers/cohere/index.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { local } from "../../../../../adapters/providers/local/index.ts";
import type { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../../../src/engine/api/message.ts";
import type { Transport } from "../../../../../src/engine/ports/transport.ts";
import { createEngine } from "../../../../../src/index.ts";
import { playedTransport, recordedCall } from "../../../../fixtures/native.ts";

const [apiKey, region] = ["k", "us-east-1"];
const open = (transport: Transport) => ({
  anthropic: anthropic({ apiKey, transport }),
  bedrock: bedrock({ apiKey, region, transport }),
  cohere: cohere({ apiKey, transport }),
  gemini: gemini({ apiKey, transport }),
});
type Vendor = keyof ReturnType<typeof open>;
const user = (...content: object[]) => ({ role: "user", content }) as ChatMessage;
const answered = (message: object) => ({ role: "assistant", ...message }) as ChatMessage;
const sound = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
const paper = { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } };
const picture = { type: "image_url", image_url: { url: "https://example.org/a.png" } };

const headers = { "content-type": "application/json" };

/** Asks a vendor, and whoever takes anything after it; what the vendor was sent, and what came of it. */
async function ask(vendor: Vendor, rest: Partial<ChatRequest>, fallbacks: string[]) {
  const sent: string[] = [];
  const transport: Transport = {
    whole: async ({ body }) => {
      sent.push(String(body));
      return { status: 503, headers, body: "{}" };
    },
    stream: () => Promise.reject(new Error("nothing is streamed here")),
    close: async () => {},
  };
  const engine = createEngine({ providers: [open(transport)[vendor], local()], retry: { retries: 0 } });
  const messages = [user({ type: "text", text: "Hi" })];
  const call = engine.chat({ model: `${vendor}/m`, fallbacks, messages, ...rest });
  const answer = await call.catch((thrown) => thrown);
  await engine.close();
  return { answer, sent };
}

const media: [Vendor, string, ChatMessage[]][] = [
  ["anthropic", "messages.0.content.0", [user(sound)]],
  ["cohere", "messages.0.content.0", [user(sound)]],
  ["cohere", "messages.0.content.1", [user({ type: "text", text: "See" }, paper)]],
  ["bedrock", "messages.0.content.0", [user(picture)]],
  ["bedrock", "messages.0.content.0", [user({ type: "file", file: { file_id: "f-1" } })]],
  ["anthropic", "messages.1.audio", [user({ type: "text", text: "Hi" }), answered({ audio: { id: "a" } })]],
];

it.each(media)("media that %s does not take, %s, go to the next candidate", async (vendor, _param, messages) => {
  const { answer, sent } = await ask(vendor, { messages }, ["local/echo"]);
  expect(answer).toMatchObject({ extra_fields: { provider: "local" } });
  expect(sent).toEqual([]);
});

it.each(media)(
  "media that %s does not take, %s, are left out where nobody else is asked",
  async (vendor, _param, messages) => {
    const { answer, sent } = await ask(vendor, { messages }, []);
    expect(answer).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
    if (!messages[1]) expect(sent[0]).toContain("was left out here");
  },
);

it("a stream and a whole answer name what was left out, and where", async () => {
  const call = recordedCall("m");
  await open(playedTransport({ bodies: [{ content: [], stop_reason: "end_turn" }] }))
    .anthropic.chat?.({ model: "m", messages: [user({ type: "text", text: "Hear" }, sound)] }, call)
    .catch(() => undefined);
  expect(call.warnings).toContain(
    "`messages.0.content.1` is left out: it cannot be sent to anthropic, which does not take it",
  );
});

const unfit: [Vendor, string, Partial<ChatRequest>][] = [
  ["gemini", "messages.1.audio", { messages: [user(sound), answered({ audio: { id: "a" } })] }],
  ["cohere", "response_format.type", { response_format: { type: "grammar" } }],
];

it.each(unfit)("what %s cannot be sent, %s, goes to the next candidate", async (vendor, param, rest) => {
  expect((await ask(vendor, rest, ["local/echo"])).answer).toMatchObject({ extra_fields: { provider: "local" } });
  const { answer, sent } = await ask(vendor, rest, []);
  expect(answer).toMatchObject({ code: "unsupported_operation", status: 400, param });
  expect(sent).toEqual([]);
});

it.each(["anthropic", "bedrock"] as const)("what is missing for %s is nobody's to mend", async (vendor) => {
  const messages = [user({ type: "file", file: { filename: "a.pdf" } })];
  const { answer } = await ask(vendor, { messages }, ["local/echo"]);
  expect(answer).toMatchObject({ code: "invalid_request", status: 400, param: "messages.0.content.0.file" });
});
