import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromWire } from "../../../../adapters/providers/bedrock/answer.ts";
import { eventDecoder } from "../../../../adapters/providers/bedrock/events.ts";
import { toWire } from "../../../../adapters/providers/bedrock/to-wire.ts";
import type { ChatChunk, ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { ChatMessage, ContentPart } from "../../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";
import { type RecordedCall, recordedCall } from "../../../fixtures/native.ts";
import { anyConversation, anyParameters, deepFreeze } from "../../../fixtures/requests.ts";

const model = "anthropic.claude-sonnet-4-6-v1:0";
const context = () => ({
  provider: "bedrock",
  call: recordedCall(model),
  fault: (): never => {
    throw new Error("no fault was sent");
  },
});

type Block = Readonly<Record<string, unknown>>;

/** Bytes that no translation may touch. */
const opaque = fc.oneof(fc.base64String({ minLength: 4, maxLength: 60 }), fc.string({ unit: "binary", minLength: 1 }));
const input = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 })
  .map((drawn): Record<string, unknown> => JSON.parse(JSON.stringify(drawn)));
const toolUse = fc.record({
  toolUse: fc.record({
    toolUseId: fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/),
    name: fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/),
    input,
  }),
});
const signed = fc.record({ text: fc.string({ unit: "grapheme" }), signature: opaque });
const thought = fc.oneof(
  fc.record({ reasoningContent: fc.record({ reasoningText: signed }) }),
  fc.record({ reasoningContent: fc.record({ redactedContent: opaque }) }),
);
/** Text that is not blank: the vendor refuses blank blocks, so they are not sent. */
const text = fc.record({
  text: fc.string({ unit: "grapheme", minLength: 1 }).filter((drawn) => drawn.trim() !== ""),
});

/** A model's turn: text, if any, before the calls; thoughts anywhere among them. */
const turn: fc.Arbitrary<Block[]> = fc
  .record({
    said: fc.array(text, { maxLength: 1 }),
    tools: fc.uniqueArray(toolUse, { maxLength: 4, selector: (block) => block.toolUse.toolUseId }),
    thoughts: fc.array(fc.tuple(thought, fc.nat(6)), { maxLength: 3 }),
  })
  .map(({ said, tools, thoughts }) => {
    const blocks: Block[] = [...said, ...tools];
    for (const [block, at] of thoughts) blocks.splice(at, 0, block);
    return blocks;
  })
  .filter((blocks) => blocks.length > 0);

function whole(content: readonly Block[]): ChatMessage {
  const answer = { output: { message: { role: "assistant", content } }, stopReason: "end_turn" };
  return fromWire(answer, context()).choices[0]?.message as ChatMessage;
}

/** The turn as the vendor gets it back when the caller sends the message again. */
function resent(message: ChatMessage, call: RecordedCall): readonly unknown[] {
  const messages: ChatMessage[] = [{ role: "user", content: "go" }, message];
  const { messages: turns } = toWire({ model: `bedrock/${model}`, messages }, { provider: "bedrock", call });
  return turns[1]?.content ?? [];
}

interface Piece {
  readonly contentBlockIndex: number;
  readonly delta: unknown;
}

function piecesOf(block: Block, contentBlockIndex: number, cuts: readonly number[]): Piece[] {
  const cut = (whole: string, wrap: (piece: string) => unknown): Piece[] => {
    const ends = [...new Set(cuts.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
    return [0, ...ends].map((start, at) => ({
      contentBlockIndex,
      delta: wrap(whole.slice(start, ends[at] ?? whole.length)),
    }));
  };
  const {
    text: said,
    toolUse: called,
    reasoningContent: thinking,
  } = block as {
    text?: string;
    toolUse?: { input: unknown };
    reasoningContent?: { reasoningText?: { text: string; signature: string }; redactedContent?: string };
  };
  if (said !== undefined) return cut(said, (piece) => ({ text: piece }));
  if (called) return cut(JSON.stringify(called.input), (piece) => ({ toolUse: { input: piece } }));
  if (thinking?.redactedContent) return [{ contentBlockIndex, delta: { reasoningContent: thinking } }];
  const { text: thoughtText = "", signature = "" } = thinking?.reasoningText ?? {};
  const told = cut(thoughtText, (piece) => ({ reasoningContent: { text: piece } }));
  return [...told, { contentBlockIndex, delta: { reasoningContent: { signature } } }];
}

/** The same turn as events, blocks numbered with gaps, the pieces of parallel calls in any order. */
function streamed(blocks: readonly Block[], cuts: readonly number[], gap: number): ChatMessage {
  const events: [string, unknown][] = [["messageStart", { role: "assistant" }]];
  const open: Piece[][] = [];
  for (const [at, block] of blocks.entries()) {
    const contentBlockIndex = at * gap;
    const pieces = piecesOf(block, contentBlockIndex, cuts);
    if (!("toolUse" in block)) {
      for (const piece of pieces) events.push(["contentBlockDelta", piece]);
      events.push(["contentBlockStop", { contentBlockIndex }]);
      continue;
    }
    const { toolUseId, name } = block.toolUse as { toolUseId: string; name: string };
    events.push(["contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId, name } } }]);
    open.push(pieces);
  }
  for (let round = 0; open.some((queue) => queue.length > 0); round++) {
    const left = open.filter((queue) => queue.length > 0);
    events.push(["contentBlockDelta", left[(cuts[round % Math.max(1, cuts.length)] ?? 0) % left.length]?.shift()]);
  }
  events.push(
    ["messageStop", { stopReason: "end_turn" }],
    ["metadata", { usage: { inputTokens: 1, outputTokens: 1 } }],
  );
  const chunks: ChatChunk[] = [];
  const decoder = eventDecoder(context());
  const isOver = events.map(([type, payload]) => decoder.read(JSON.stringify({ [type]: payload }), chunks));
  expect(isOver.indexOf(true)).toBe(events.length - 1);
  return mergeChunks(chunks).choices[0]?.message as ChatMessage;
}

const cuts = fc.array(fc.nat(60), { maxLength: 6 });

describe("a turn of the model", () => {
  it("goes back as it came: text, calls with their ids, thoughts with their signatures, each in its place", () => {
    fc.assert(
      fc.property(turn, (blocks) => {
        const call = recordedCall(model);
        expect(resent(whole(blocks), call)).toEqual(blocks);
        const hasCalls = blocks.some((block) => "toolUse" in block);
        expect(call.warnings).toEqual(hasCalls ? [expect.stringContaining("`tools` are missing")] : []);
      }),
      { numRuns: 300 },
    );
  });

  it("is the same as a stream, however its pieces are cut, mixed and numbered", () => {
    fc.assert(
      fc.property(turn, cuts, fc.integer({ min: 1, max: 3 }), (blocks, places, gap) => {
        expect(streamed(blocks, places, gap)).toEqual(whole(blocks));
      }),
      { numRuns: 300 },
    );
  });
});

const mark = fc.option(
  fc.constantFrom<ContentPart["cache_control"]>({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }),
  { nil: undefined },
);

describe("a request", () => {
  it("keeps every cache mark as a cache point behind what it marks, with its time", () => {
    const visible = fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""); // others are refused, and not sent
    const parts = fc.array(fc.tuple(visible, mark), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (system, user) => {
        const content = (list: typeof system) =>
          list.map(
            ([said, cache_control]): ContentPart => ({
              type: "text",
              text: said,
              ...(cache_control && { cache_control }),
            }),
          );
        const expected = (list: typeof system) =>
          list.flatMap(([said, kept]) => {
            const point = { cachePoint: { type: "default", ...(kept?.ttl && { ttl: kept.ttl }) } };
            return [{ text: said }, ...(kept ? [point] : [])];
          });
        const messages: ChatMessage[] = [
          { role: "system", content: content(system) },
          { role: "user", content: content(user) },
        ];
        const wire = toWire(
          { model: `bedrock/${model}`, messages },
          { provider: "bedrock", call: recordedCall(model) },
        );
        expect(wire.system).toEqual(expected(system));
        expect(wire.messages).toEqual([{ role: "user", content: expected(user) }]);
      }),
    );
  });

  it("of any messages and parameters is written, or warned of, and left as it is; sides take turns and calls have results", () => {
    fc.assert(
      fc.property(anyConversation, anyParameters, (messages, parameters) => {
        const request = deepFreeze({ ...parameters, model: `bedrock/${model}`, messages }) as unknown as ChatRequest;
        const call = recordedCall(model);
        const wire = toWire(request, { provider: "bedrock", call });
        const roles = wire.messages.map(({ role }) => role);
        for (const [at, role] of roles.entries()) if (role === "user") expect(roles[at + 1]).not.toBe("user");
        const blocks = wire.messages.flatMap(({ content }) => content);
        const called = blocks.flatMap((block) => ("toolUse" in block ? [block.toolUse.toolUseId] : []));
        const answered = blocks.flatMap((block) => ("toolResult" in block ? [block.toolResult.toolUseId] : []));
        expect(answered).toEqual(called);
        if (parameters.seed !== undefined) expect(call.warnings).toContain("`seed` is not supported by bedrock");
        expect(JSON.parse(JSON.stringify(wire))).toBeTruthy();
      }),
      { numRuns: 200 },
    );
  });
});
