import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromWire as fromCohere } from "../../../adapters/providers/cohere/from-wire.ts";
import { toWire as toCohere } from "../../../adapters/providers/cohere/to-wire.ts";
import { fromWire as fromAnthropic } from "../../../adapters/shared/anthropic/from-wire.ts";
import { toWire as toAnthropic } from "../../../adapters/shared/anthropic/to-wire.ts";
import { fromWire as fromGemini } from "../../../adapters/shared/gemini/from-wire.ts";
import { toWire as toGemini } from "../../../adapters/shared/gemini/to-wire.ts";
import { messagesToItems } from "../../../adapters/shared/openai-responses/items.ts";
import { readResponse } from "../../../adapters/shared/openai-responses/whole.ts";
import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { toChunks } from "../../../src/engine/caching/replay.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { readRequest as readAnthropic } from "../../../src/http/dialects/anthropic/request.ts";
import { writeAnswer as writeCohere } from "../../../src/http/dialects/cohere/answer.ts";
import { readRequest as readCohere } from "../../../src/http/dialects/cohere/request.ts";
import { readRequest as readGenai } from "../../../src/http/dialects/genai/request/request.ts";
import { readRequest as readResponses } from "../../../src/http/dialects/responses/request.ts";
import { recordedCall } from "../../fixtures/native.ts";

type Kind = "think" | "text" | "use";

/** One vendor: an answer of these kinds, how it is read, and how a turn of it goes back as history. */
interface Vendor {
  answer(kinds: readonly Kind[]): unknown;
  read(wire: never): ChatResponse;
  history(message: ChatMessage): unknown;
  /** The turn as a client of the vendor's own dialect sends it. */
  dialect(wire: never): ChatMessage;
  kinds(wire: never): Kind[];
}

type Block = Readonly<Record<string, unknown>>;

const context = () => ({ provider: "vendor", call: recordedCall("m") });
const asked: ChatMessage = { role: "user", content: "go" };
const turnOf = (messages: readonly ChatMessage[]) => messages.find(({ role }) => role === "assistant") as ChatMessage;
const hasText = ({ content }: Block) => Array.isArray(content) && content.length > 0;

const anthropicKinds: Readonly<Record<string, Kind>> = { thinking: "think", text: "text", tool_use: "use" };
const itemKinds: Readonly<Record<string, Kind>> = { reasoning: "think", message: "text", function_call: "use" };

const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: {
    answer: (kinds) => ({
      id: "1",
      model: "m",
      stop_reason: "end_turn",
      content: kinds.map((kind, at) => {
        if (kind === "think") return { type: "thinking", thinking: `t${at}`, signature: `s${at}` };
        return kind === "text"
          ? { type: "text", text: `x${at}` }
          : { type: "tool_use", id: `c${at}`, name: "f", input: { at } };
      }),
    }),
    read: (wire) => fromAnthropic(wire, context()),
    history: (message) =>
      toAnthropic(
        { model: "m", messages: [asked, message] },
        { ...context(), maxTokens: 100, version: "", isStream: false },
      ).messages[1],
    dialect: (turn) => turnOf(readAnthropic({ model: "m", max_tokens: 1, messages: [asked, turn] }).request.messages),
    kinds: ({ content }: { content: string | { type: string }[] }) =>
      typeof content === "string" ? ["text"] : content.flatMap(({ type }) => anthropicKinds[type] ?? []),
  },
  gemini: {
    answer: (kinds) => ({
      candidates: [
        {
          finishReason: "STOP",
          content: {
            role: "model",
            parts: kinds.map((kind, at) => {
              if (kind === "think") return { text: `t${at}`, thought: true, thoughtSignature: `s${at}` };
              return kind === "text"
                ? { text: `x${at}`, ...(at % 2 === 0 ? { thoughtSignature: `s${at}` } : {}) }
                : { functionCall: { id: `c${at}`, name: "f", args: { at } }, thoughtSignature: `s${at}` };
            }),
          },
        },
      ],
    }),
    read: (wire) => fromGemini(wire, context()),
    history: (message) =>
      toGemini({ model: "m", messages: [asked, message] }, { ...context(), filesUrl: "https://x/" }).contents[1],
    dialect: (turn) =>
      turnOf(readGenai("m", false, { contents: [{ parts: [{ text: "go" }] }, turn] }).request.messages),
    kinds: ({ parts }: { parts: { thought?: boolean; functionCall?: unknown }[] }) =>
      parts.map(({ thought, functionCall: called }) => (called ? "use" : thought ? "think" : "text")),
  },
  responses: {
    answer: (kinds) => ({
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "m",
      output: kinds.map((kind, at) => {
        if (kind === "think") return { type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: `e${at}` };
        return kind === "text"
          ? { type: "message", role: "assistant", content: [{ type: "output_text", text: `x${at}`, annotations: [] }] }
          : { type: "function_call", call_id: `c${at}`, name: "f", arguments: `{"at":${at}}` };
      }),
    }),
    read: (wire) => readResponse(wire, { ...context(), http: undefined } as never),
    history: (message) => messagesToItems([message], { ...context(), name: "openai" } as never),
    dialect: (items: never) =>
      turnOf(readResponses({ model: "m", input: [asked, ...(items as object[])] }).request.messages),
    kinds: (items: Block[]) =>
      items.flatMap((item) => itemKinds[(item.type as string | undefined) ?? (hasText(item) ? "message" : "")] ?? []),
  },
};

/** Successive texts are one, and so are successive kinds of one text. */
function joined(kinds: readonly Kind[]): Kind[] {
  return kinds.filter((kind, at) => kind !== "text" || kinds[at - 1] !== "text");
}

const sequence = fc.array(fc.constantFrom<Kind>("think", "text", "use"), { minLength: 1, maxLength: 7 });

describe.each(Object.entries(vendors))("%s: the order of thoughts, texts and calls", (_name, vendor) => {
  const turn = (kinds: readonly Kind[]) => vendor.read(vendor.answer(kinds) as never);

  test("goes back to the vendor as it came, whole, streamed and from a cache", () =>
    fc.assert(
      fc.property(sequence, (kinds) => {
        const answer = turn(kinds);
        for (const { choices } of [answer, mergeChunks(toChunks(answer))]) {
          const wire = vendor.history(choices[0]?.message as ChatMessage);
          expect(joined(vendor.kinds(wire as never))).toEqual(joined(kinds));
        }
      }),
    ));

  test("is the same in the history that a client of its dialect sends", () =>
    fc.assert(
      fc.property(sequence, (kinds) => {
        const wire = vendor.history(turn(kinds).choices[0]?.message as ChatMessage);
        const again = vendor.history(vendor.dialect(wire as never));
        expect(again).toEqual(wire);
      }),
    ));
});

describe("cohere: thoughts and texts", () => {
  const thinking = fc.array(fc.constantFrom<Kind>("think", "text"), { minLength: 1, maxLength: 6 });

  test("keep their order there, back, and in its dialect", () =>
    fc.assert(
      fc.property(thinking, (kinds) => {
        const content = kinds.map((kind, at) =>
          kind === "think" ? { type: "thinking", thinking: `t${at}` } : { type: "text", text: `x${at}` },
        );
        const reading = { ...context(), fault: () => new Error() } as never;
        const answer = fromCohere(
          { id: "1", message: { role: "assistant", content }, finish_reason: "COMPLETE" },
          reading,
        );
        const message = answer.choices[0]?.message as ChatMessage;
        const wire = toCohere({ model: "m", messages: [asked, message] }, { ...context(), isStream: false })
          .messages[1];
        const sent = wire?.content ?? [];
        const kindsOf = (parts: readonly { type: string }[]) =>
          joined(parts.map(({ type }) => (type === "thinking" ? "think" : "text")));
        expect(typeof sent === "string" ? ["text"] : kindsOf(sent)).toEqual(joined(kinds));
        const shown = writeCohere(answer, { warnings: [] } as never).message.content as { type: string }[];
        expect(kindsOf(shown)).toEqual(joined(kinds));
        const history = readCohere({ model: "m", messages: [asked, { role: "assistant", content: shown }] } as never);
        expect(mergeOrder(turnOf(history.request.messages))).toEqual(mergeOrder(message));
      }),
    ));
});

/** Where the thoughts of a message stand among its texts. */
function mergeOrder({ reasoning_details: details = [] }: ChatMessage): (number | undefined)[] {
  return details.map(({ index }) => index);
}
