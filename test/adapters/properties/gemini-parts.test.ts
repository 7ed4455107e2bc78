import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventDecoder } from "../../../adapters/shared/gemini/events.ts";
import { fromWire } from "../../../adapters/shared/gemini/from-wire.ts";
import { toWire } from "../../../adapters/shared/gemini/to-wire.ts";
import type { WirePart } from "../../../adapters/shared/gemini/wire.ts";
import type { ChatChunk, ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { recordedCall } from "../../fixtures/native.ts";

const context = { provider: "gemini", call: recordedCall("gemini-2.5-flash") };

/** Bytes that no translation may touch: base64 and worse, down to characters that Unicode takes for equal. */
const opaque = fc.oneof(
  fc.base64String({ minLength: 4, maxLength: 80 }),
  fc.string({ unit: "binary", minLength: 1 }),
  fc.constant("e\u0301\ufb01 \u212b "),
);
const said = fc.string({ unit: "grapheme", maxLength: 30 });
const args = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 })
  .map((drawn): Record<string, unknown> => JSON.parse(JSON.stringify(drawn)));
const thought = fc.record({ text: said, thought: fc.constant(true), thoughtSignature: opaque });
const signedText = fc.record({ text: said, thoughtSignature: opaque });
const plainText = fc.record({ text: said.filter((text) => text !== "") });
const functionCall = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/),
  name: fc.stringMatching(/^\w{1,16}$/),
  args,
});
const call = fc.record({ functionCall, thoughtSignature: opaque }, { requiredKeys: ["functionCall"] });

/** A model's turn in the vendor's order: thoughts, texts (only the last unsigned), calls. */
const turn: fc.Arbitrary<WirePart[]> = fc
  .tuple(
    fc.array(thought, { maxLength: 3 }),
    fc.array(signedText, { maxLength: 3 }),
    fc.array(plainText, { maxLength: 1 }),
    fc.uniqueArray(call, { maxLength: 4, selector: (part) => part.functionCall.id }),
  )
  .map((groups) => groups.flat());

function whole(parts: readonly WirePart[]): ChatMessage {
  return fromWire({ candidates: [{ content: { parts }, finishReason: "STOP" }] }, context).choices[0]
    ?.message as ChatMessage;
}

/** The turn as the vendor gets it back when the caller sends the message again. */
function resent(message: ChatMessage): readonly WirePart[] {
  const request: ChatRequest = {
    model: "gemini/gemini-2.5-flash",
    messages: [{ role: "user", content: "go" }, message],
  };
  return toWire(request, { ...context, filesUrl: "https://files.example/" }).contents[1]?.parts ?? [];
}

/** One part as a stream sends it: its text in pieces, its signature on the last or on an empty part behind. */
function piecesOf(part: WirePart, cuts: readonly number[], isBehind: boolean): WirePart[] {
  const { text, thoughtSignature, ...rest } = part;
  if (text === undefined) return [part];
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const texts = places.slice(1).map((end, at): WirePart => ({ ...rest, text: text.slice(places[at], end) }));
  if (thoughtSignature === undefined) return texts;
  if (isBehind) return [...texts, { ...rest, text: "", thoughtSignature }];
  return [...texts.slice(0, -1), { ...texts.at(-1), ...rest, thoughtSignature }];
}

function streamed(parts: readonly WirePart[]): ChatMessage {
  const decoder = eventDecoder({ ...context, fault: () => new Error("no fault was sent") as never });
  const chunks: ChatChunk[] = [];
  for (const part of parts) decoder.read(JSON.stringify({ candidates: [{ content: { parts: [part] } }] }), chunks);
  decoder.read(JSON.stringify({ candidates: [{ finishReason: "STOP" }] }), chunks);
  decoder.end(chunks);
  return mergeChunks(chunks).choices[0]?.message as ChatMessage;
}

describe("a model's turn that the caller sends back", () => {
  it("reaches the vendor with every signature on the part that it came with (whole answer)", () => {
    fc.assert(
      fc.property(turn, (parts) => {
        expect(resent(whole(parts))).toEqual(parts);
      }),
      { numRuns: 300 },
    );
  });

  it("reaches the vendor with every signature on the part that it came with (stream)", () => {
    fc.assert(
      fc.property(turn, fc.array(fc.nat(40), { maxLength: 4 }), fc.boolean(), (parts, cuts, isBehind) => {
        expect(resent(streamed(parts.flatMap((part) => piecesOf(part, cuts, isBehind))))).toEqual(parts);
      }),
      { numRuns: 300 },
    );
  });

  it("is the same message whole and streamed", () => {
    fc.assert(
      fc.property(turn, fc.array(fc.nat(40), { maxLength: 4 }), fc.boolean(), (parts, cuts, isBehind) => {
        expect(streamed(parts.flatMap((part) => piecesOf(part, cuts, isBehind)))).toEqual(whole(parts));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps signatures byte for byte on the wire in between", () => {
    fc.assert(
      fc.property(turn, (parts) => {
        const details = whole(parts).reasoning_details ?? [];
        const sent = parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []);
        expect(details.flatMap(({ signature, data }) => signature ?? data ?? [])).toEqual(sent);
      }),
    );
  });
});

describe("calls in a stream", () => {
  it("have indices that count them, in whatever events they come", () => {
    const calls = fc.uniqueArray(call, { minLength: 1, maxLength: 6, selector: (part) => part.functionCall.id });
    fc.assert(
      fc.property(calls, fc.array(fc.nat(5), { maxLength: 5 }), (parts, cuts) => {
        const decoder = eventDecoder({ ...context, fault: () => new Error("no fault was sent") as never });
        const chunks: ChatChunk[] = [];
        const places = [0, ...cuts.map((cut) => Math.min(cut, parts.length)).sort((a, b) => a - b), parts.length];
        decoder.read(JSON.stringify({ candidates: [{ content: { parts: [{ text: "Well" }] } }] }), chunks);
        for (const [at, start] of places.entries()) {
          const event = { candidates: [{ content: { parts: parts.slice(start, places[at + 1] ?? start) } }] };
          decoder.read(JSON.stringify(event), chunks);
        }
        const deltas = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
        expect(deltas.map(({ index, id }) => [index, id])).toEqual(
          parts.map(({ functionCall: { id } }, at) => [at, id]),
        );
      }),
    );
  });
});
