import fc from "fast-check";
import { expect, it } from "vitest";
import { compatible } from "../../../../adapters/providers/compatible/index.ts";
import { withoutRepeated } from "../../../../adapters/shared/openai-compatible/prefill.ts";
import type { ChatChunk, ChatRequest } from "../../../../src/engine/api/chat.ts";
import { collect, playedTransport, recordedCall, textOf } from "../../../fixtures/native.ts";

const told = "The three largest cities are";
const messages = [
  { role: "user" as const, content: "Which are they?" },
  { role: "assistant" as const, content: told },
];
const request: ChatRequest = { model: "m", messages };

function chunk(content: string, finish: string | null = null): ChatChunk {
  const choices = [{ index: 0, delta: { content }, finish_reason: finish }];
  return { id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices };
}

function events(texts: readonly string[]): Uint8Array[] {
  const all = [...texts.map((text) => chunk(text)), chunk("", "stop")];
  const lines = all.map((each) => `data: ${JSON.stringify(each)}\n\n`);
  return [...lines, "data: [DONE]\n\n"].map((line) => new TextEncoder().encode(line));
}

async function goOn(vendor: "mistral" | "deepseek", texts: readonly string[]) {
  const transport = playedTransport({ pieces: events(texts) });
  const provider = compatible(vendor, { apiKey: "k", transport });
  const chunks = await collect(provider.continueChat?.(request, recordedCall("m")));
  return { asked: transport.asked[0], text: textOf(chunks) };
}

it("DeepSeek goes on at its beta address, from a last message that says it is unfinished", async () => {
  const { asked, text } = await goOn("deepseek", [" Tokyo,", " Delhi."]);
  expect(asked?.url).toBe("https://api.deepseek.com/beta/chat/completions");
  expect(asked?.body.messages).toEqual([messages[0], { ...messages[1], prefix: true }]);
  expect(text).toBe(" Tokyo, Delhi.");
});

it.each([
  ["with the text again", ["The three", " largest cities are Tokyo", "."]],
  ["without it", [" Tokyo", "."]],
])("Mistral goes on %s, and only what is new is told", async (_title, texts) => {
  const { asked, text } = await goOn("mistral", texts);
  expect(asked?.url).toBe("https://api.mistral.ai/v1/chat/completions");
  expect(asked?.body.messages).toEqual([messages[0], { ...messages[1], prefix: true }]);
  expect(text).toBe(" Tokyo.");
});

it("who does not document it is not asked", () => {
  expect(compatible("groq", { apiKey: "k" }).continueChat).toBeUndefined();
});

it("a repeated text is taken off however the chunks are cut; any other is as it is; the end is never lost", async () => {
  const words = fc.string({ maxLength: 12 });
  const cuts = fc.array(fc.nat(40), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.record({ before: words, rest: words, repeats: fc.boolean() }), cuts, async (drawn, places) => {
      const { before, rest, repeats } = drawn;
      const whole = repeats ? before + rest : rest;
      const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...ends].map((start, at) => whole.slice(start, ends[at] ?? whole.length));
      async function* stream() {
        for (const piece of pieces) yield chunk(piece);
        yield chunk("", "stop");
      }
      const chunks = await collect(withoutRepeated(stream(), before));
      expect(textOf(chunks)).toBe(whole.startsWith(before) ? whole.slice(before.length) : whole);
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
      expect(chunks).toHaveLength(pieces.length + 1);
    }),
  );
});
