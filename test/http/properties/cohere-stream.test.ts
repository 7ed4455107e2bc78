import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventDecoder } from "../../../adapters/providers/cohere/events.ts";
import { fromWire } from "../../../adapters/providers/cohere/from-wire.ts";
import { toWire } from "../../../adapters/providers/cohere/to-wire.ts";
import type { ChatChunk, ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { readRequest } from "../../../src/http/dialects/cohere/request.ts";
import { recordedCall } from "../../fixtures/native.ts";
import { anyConversation, anyParameters, deepFreeze } from "../../fixtures/requests.ts";

const model = "command-a-reasoning-08-2025";
const context = () => ({
  provider: "cohere",
  call: recordedCall(model),
  fault: (reason: string): never => {
    throw new Error(`no fault was sent: ${reason}`);
  },
});

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const call = fc.record({
  id: fc.uuid(),
  type: fc.constant("function" as const),
  function: fc.record({ name: fc.constantFrom("f", "g"), arguments: fc.json() }).map(({ name, arguments: text }) => ({
    name,
    arguments: JSON.stringify({ a: JSON.parse(text) }),
  })),
});
const calls = fc.uniqueArray(call, { maxLength: 4, selector: ({ id }) => id });

/** A turn of the model in our words. */
const turn = fc
  .record({ thoughts: fc.array(words, { maxLength: 3 }), text: fc.option(words, { nil: null }), calls })
  .filter(({ thoughts, text, calls: all }) => thoughts.length + all.length > 0 || text !== null)
  .map(
    ({ thoughts, text, calls: all }): ChatMessage => ({
      role: "assistant",
      content: text,
      ...(thoughts.length === 0
        ? {}
        : {
            reasoning: thoughts.join(""),
            reasoning_details: thoughts.map((thought, index) => {
              return { type: "reasoning.text" as const, index, text: thought, format: "cohere-v2" };
            }),
          }),
      ...(all.length === 0 ? {} : { tool_calls: all }),
    }),
  );

type Sent = Readonly<Record<string, unknown>>;

/** The turn as the vendor gets it. */
function sent(message: ChatMessage): Sent {
  const request: ChatRequest = { model: `cohere/${model}`, messages: [message] };
  return toWire(request, { ...context(), isStream: false }).messages[0] as Sent;
}

/** What is sent has texts as strings where there is nothing else; what comes has blocks always. */
function asAnswer({ content, ...rest }: Sent): Sent {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  return { ...rest, content: blocks };
}

/** The turn that the vendor would answer with, in our words again. */
function returned(wire: Sent): ChatMessage {
  const body = { id: "1", message: asAnswer(wire), finish_reason: "COMPLETE" };
  return fromWire(body, context()).choices[0]?.message as ChatMessage;
}

type Pieces = readonly number[];

function cut(text: string, places: Pieces): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, at) => text.slice(start, ends[at] ?? text.length));
}

/** The same turn as events, texts cut anywhere, the pieces of parallel calls in any order, indices as the vendor likes. */
function streamed(wire: Sent, places: Pieces, offset: number): ChatMessage {
  const events: object[] = [{ type: "message-start", id: "1", delta: { message: { role: "assistant" } } }];
  const say = (type: string, index: number, message: object) => events.push({ type, index, delta: { message } });
  const {
    content,
    tool_plan: plan = "",
    tool_calls: told = [],
  } = asAnswer(wire) as {
    content: { type: string; text?: string; thinking?: string }[];
    tool_plan?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  };
  for (const [at, block] of content.entries()) {
    const field = block.type === "thinking" ? "thinking" : "text";
    say("content-start", at, { content: { type: block.type, [field]: "" } });
    for (const piece of cut(block[field] ?? "", places)) say("content-delta", at, { content: { [field]: piece } });
    events.push({ type: "content-end", index: at });
  }
  for (const piece of cut(plan, places)) say("tool-plan-delta", 0, { tool_plan: piece });
  for (const [at, { id, function: f }] of told.entries()) {
    say("tool-call-start", at + offset, {
      tool_calls: { id, type: "function", function: { name: f.name, arguments: "" } },
    });
  }
  const queues = told.map(({ function: f }, at) => cut(f.arguments, places).map((piece) => ({ at, piece })));
  for (let round = 0; queues.some((queue) => queue.length > 0); round++) {
    const left = queues.filter((queue) => queue.length > 0);
    const next = left[(places[round % Math.max(1, places.length)] ?? 0) % left.length]?.shift();
    if (next) say("tool-call-delta", next.at + offset, { tool_calls: { function: { arguments: next.piece } } });
  }
  events.push({ type: "message-end", delta: { finish_reason: "COMPLETE" } });
  const chunks: ChatChunk[] = [];
  const decoder = eventDecoder(context());
  const isOver = events.map((event) => decoder.read(JSON.stringify(event), chunks));
  expect(isOver.lastIndexOf(false)).toBe(events.length - 2);
  return mergeChunks(chunks).choices[0]?.message as ChatMessage;
}

const places = fc.array(fc.nat(40), { maxLength: 6 });

describe("a turn of the model", () => {
  it("sent to the vendor and answered by it is the turn again: text, thoughts, calls and their ids", () => {
    fc.assert(
      fc.property(turn, (message) => {
        expect(returned(sent(message))).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });

  it("streamed is the turn again, however its texts are cut, its calls interleaved and numbered", () => {
    fc.assert(
      fc.property(turn, places, fc.nat(7), (message, cuts, offset) => {
        expect(streamed(sent(message), cuts, offset)).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });

  it("is sent the same the second time", () => {
    fc.assert(
      fc.property(turn, (message) => {
        expect(sent(returned(sent(message)))).toEqual(sent(message));
      }),
    );
  });
});

/** The conversation in the words that both sides share: no developer, a lone text as a string. */
function plainly(messages: readonly ChatMessage[]): unknown[] {
  return messages.map(({ role, content, ...rest }) => {
    const [only, ...others] = Array.isArray(content) ? content : [];
    const text = only?.type === "text" && others.length === 0 ? only.text : content;
    return { ...rest, role: role === "developer" ? "system" : role, content: text };
  });
}

describe("a conversation", () => {
  it("written for the vendor and read by our own edge of its dialect is the conversation again", () => {
    fc.assert(
      fc.property(anyConversation, (messages) => {
        const wire = toWire({ model: `cohere/${model}`, messages }, { ...context(), isStream: false });
        const { request } = readRequest(JSON.parse(JSON.stringify(wire)));
        expect(plainly(request.messages)).toEqual(plainly(messages));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a request", () => {
  const written = (request: ChatRequest) => {
    try {
      return JSON.stringify(toWire(request, { ...context(), isStream: true }));
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      expect(error).toMatchObject({ code: "invalid_request", param: expect.any(String) });
      return "";
    }
  };

  it("is left as it is, whatever it holds", () => {
    fc.assert(
      fc.property(anyConversation, anyParameters, (messages, parameters) => {
        const request = deepFreeze({ model: `cohere/${model}`, messages, ...parameters } as unknown as ChatRequest);
        const before = JSON.stringify(request);
        written(request);
        expect(JSON.stringify(request)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps every text of its messages, in their order", () => {
    fc.assert(
      fc.property(anyConversation, (messages) => {
        let rest = written({ model: `cohere/${model}`, messages });
        for (const { content } of messages) {
          const parts = typeof content === "string" ? [{ text: content }] : (content ?? []);
          for (const part of parts) {
            if (!("text" in part)) continue;
            const text = JSON.stringify(part.text).slice(1, -1);
            expect(rest).toContain(text);
            rest = rest.slice(rest.indexOf(text) + text.length);
          }
        }
      }),
    );
  });
});
