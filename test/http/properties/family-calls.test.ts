import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatMessage, Delta, ToolCall } from "../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { chunkWriter } from "../../../src/http/dialects/openai/answer.ts";
import { anyCalls, anyText, chunksOf, pieces } from "../support/dialects/answers.ts";
import { pastAnswer, type Rig, rigs } from "../support/dialects/rigs.ts";

/** What one lane of a stream tells, in its own order; lanes are shuffled into each other. */
type Lane = readonly Delta[];

/** A call as a provider may tell it: its name and id first, its arguments in any pieces, at any index. */
function callLane({ id = "", function: called }: ToolCall, index: number, cuts: readonly number[]): Lane {
  const first = { index, id, type: "function", function: { name: called?.name ?? "", arguments: "" } };
  const rest = pieces(called?.arguments ?? "", cuts).map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest].map((call) => ({ tool_calls: [call] }));
}

/** The lanes shuffled into one by the draws; each lane keeps its order. */
function shuffle(lanes: readonly Lane[], draws: readonly number[]): Delta[] {
  const left = lanes.map((lane) => [...lane]);
  const told: Delta[] = [];
  for (let turn = 0; left.some((lane) => lane.length > 0); turn++) {
    const open = left.filter((lane) => lane.length > 0);
    const lane = open[(draws[turn % draws.length] ?? 0) % open.length];
    const delta = lane?.shift();
    if (delta !== undefined) told.push(delta);
  }
  return told;
}

/** Calls in one delta together with what came before it: vendors put several pieces into one chunk. */
function bundle(deltas: readonly Delta[], joins: readonly boolean[]): Delta[] {
  const bundled: Delta[] = [];
  for (const [at, delta] of deltas.entries()) {
    const last = bundled.at(-1);
    const isJoined = joins[at % joins.length] === true && last?.tool_calls && delta.tool_calls;
    if (isJoined) last.tool_calls = [...(last.tool_calls ?? []), ...(delta.tool_calls ?? [])];
    else bundled.push({ ...delta });
  }
  return bundled;
}

const anyStream = fc
  .record({
    calls: anyCalls.filter(({ length }) => length > 0),
    indexes: fc.uniqueArray(fc.nat(20), { minLength: 4, maxLength: 4 }),
    text: fc.array(anyText, { maxLength: 3 }),
    cuts: fc.array(fc.nat(50), { maxLength: 4 }),
    draws: fc.array(fc.nat(10), { minLength: 1, maxLength: 12 }),
    joins: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  })
  .map(({ calls, indexes, text, cuts, draws, joins }) => {
    const lanes = calls.map((call, at) => callLane(call, indexes[at] ?? at, cuts));
    const deltas = bundle(shuffle([text.map((content) => ({ content })), ...lanes], draws), joins);
    return { calls, text: text.join(""), deltas };
  });

const byId = (calls: readonly ToolCall[] = []) =>
  Object.fromEntries(calls.map(({ id = "", function: called }) => [id, [called?.name, called?.arguments ?? ""]]));
const parsed = (calls: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(calls).map(([id, [name, text]]) => [id, [name, JSON.parse(String(text))]]));

type Rule = (stream: { calls: ToolCall[]; text: string }, told: ChatMessage) => void;

function checkOf(rig: Rig) {
  return (rule: Rule) =>
    fc.assert(
      fc.property(anyStream, (stream) => {
        rule(stream, pastAnswer(rig.handBack(rig.streamed(chunksOf(stream.deltas)))));
      }),
      { numRuns: 500 },
    );
}

describe.each(Object.entries(rigs))(
  "%s: calls in any pieces, at any index, shuffled into each other and into text",
  (_name, rig) => {
    const check = checkOf(rig);
    test("every call is whole, with its own id and name", () =>
      check(({ calls }, told) => expect(parsed(byId(told.tool_calls))).toEqual(parsed(byId(calls)))));
    test("no call is told twice or left out", () =>
      check(({ calls }, told) => expect(told.tool_calls?.length).toBe(calls.length)));
    test("text is whole and in its order", () =>
      check(({ text }, told) => {
        const said =
          typeof told.content === "string"
            ? told.content
            : (told.content ?? []).map((part) => "text" in part && part.text).join("");
        expect(said).toBe(text);
      }));
  },
);

test.each(["cohere", "responses"])("%s has arguments as text: they are kept byte for byte", (name) =>
  checkOf(rigs[name] as Rig)(({ calls }, told) => expect(byId(told.tool_calls)).toEqual(byId(calls))),
);

test("openai: chunks keep their indexes, so that the vendor's clients put the calls together themselves", () => {
  fc.assert(
    fc.property(anyStream, ({ calls, text, deltas }) => {
      const write = chunkWriter();
      const chunks = chunksOf(deltas).map((chunk) => write(chunk));
      const [choice] = mergeChunks(chunks as never).choices;
      expect(byId(choice?.message.tool_calls)).toEqual(byId(calls));
      expect(choice?.message.content ?? "").toBe(text);
      expect(choice?.finish_reason).toBe("tool_calls");
    }),
  );
});
