import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChatMessage, Delta, ReasoningDetail } from "../../../../src/engine/api/message.ts";
import { answerOf, anyMessage, anyText, chunksOf, pieces } from "../../../http/support/dialects/answers.ts";
import { pastAnswer, rigs } from "../../../http/support/dialects/rigs.ts";

/** A message as the deltas that tell it: thoughts, text and calls in this order, each cut into pieces. */
function deltasOf(message: ChatMessage, cuts: readonly number[]): Delta[] {
  const thoughts = (message.reasoning_details ?? []).flatMap((detail) => thoughtDeltas(detail, cuts));
  const text = typeof message.content === "string" ? pieces(message.content, cuts).map((content) => ({ content })) : [];
  const calls = (message.tool_calls ?? []).flatMap(({ id = "", type, function: called }, index) => [
    { tool_calls: [{ index, id, type: type ?? "function", function: { name: called?.name ?? "", arguments: "" } }] },
    ...pieces(called?.arguments ?? "", cuts).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
  return [...thoughts, ...text, ...calls];
}

function thoughtDeltas({ text, summary, signature, data, ...rest }: ReasoningDetail, cuts: readonly number[]): Delta[] {
  const field = summary === undefined ? "text" : "summary";
  const told = pieces(text ?? summary ?? "", cuts).filter((piece) => piece !== "");
  const first: ReasoningDetail = { ...rest, ...(data === undefined ? {} : { data }) };
  const details = [first, ...told.map((piece) => ({ ...rest, [field]: piece }))];
  if (signature) details.push({ ...rest, signature });
  return details.map((detail) => ({ reasoning_details: [detail] }));
}

/** Details without their place, which every dialect tells by its own order. */
function placeless({ reasoning_details: details = [] }: ChatMessage): unknown[] {
  return details.map(({ index: _index, ...detail }) => detail);
}

const anyCuts = fc.array(fc.nat(50), { maxLength: 3 });

describe.each(Object.entries(rigs))("%s: an answer that the client hands back", (_name, rig) => {
  const ways: [string, (message: ChatMessage, cuts: readonly number[]) => unknown][] = [
    ["whole", (message) => rig.whole(answerOf(message))],
    ["streamed", (message, cuts) => rig.streamed(chunksOf(deltasOf(message, cuts)))],
  ];
  describe.each(ways)("%s", (_way, tell) => {
    const check = (rule: (before: ChatMessage, after: ChatMessage) => void) =>
      fc.assert(
        fc.property(anyMessage, anyCuts, (before, cuts) => {
          rule(before, pastAnswer(rig.handBack(tell(before, cuts))));
        }),
        { numRuns: 300 },
      );
    test("keeps its text", () => check((before, after) => expect(after.content).toBe(before.content)));
    test("keeps its calls with their ids, names and arguments", () =>
      check((before, after) => {
        const calls = ({ tool_calls = [] }: ChatMessage) =>
          tool_calls.map(({ id, function: called }) => [id, called?.name, JSON.parse(called?.arguments ?? "")]);
        expect(calls(after)).toEqual(calls(before));
      }));
    test("keeps its reasoning with signatures, data and identifiers byte for byte", () =>
      check((before, after) => expect(placeless(after)).toEqual(placeless(before))));
    test("keeps the text of its reasoning", () =>
      check((before, after) => expect(after.reasoning).toBe(before.reasoning)));
  });
  test("whole and streamed are the same answer", () => {
    fc.assert(
      fc.property(anyMessage, anyCuts, fc.constantFrom("stop", "length", "content_filter"), (message, cuts, finish) => {
        const streamed = rig.streamed(chunksOf(deltasOf(message, cuts), finish));
        expect(streamed).toEqual(rig.whole(answerOf(message, finish)));
      }),
      { numRuns: 300 },
    );
  });
});

test("reasoning of nobody, told as text only, is shown and comes back as text", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(rigs).filter((name) => !name.includes("without"))),
      anyText,
      (name, reasoning) => {
        const message: ChatMessage = { role: "assistant", content: "answer", reasoning };
        const rig = rigs[name];
        expect(pastAnswer(rig?.handBack(rig.whole(answerOf(message))) as never)).toEqual(message);
        const told = rig?.streamed(chunksOf([{ reasoning }, { content: "answer" }]));
        expect(pastAnswer(rig?.handBack(told) as never)).toEqual(message);
      },
    ),
  );
});
