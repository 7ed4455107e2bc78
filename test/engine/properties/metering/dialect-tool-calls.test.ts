import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToolCalls, toolCallReader } from "../../../../adapters/shared/openai-compatible/response/tool-calls.ts";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import type { ToolCall } from "../../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";

/** One call as the model made it. */
interface Made {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

type Told = Readonly<Record<string, unknown>>;

const made: fc.Arbitrary<Made> = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom("get_weather", "get_time"),
  text: fc
    .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue(), { maxKeys: 3 })
    .map((value) => JSON.stringify(value)),
});
const calls = fc.uniqueArray(made, { minLength: 1, maxLength: 5, selector: ({ id }) => id });
const cuts = fc.array(fc.nat(80), { maxLength: 6 });

function pieces(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, at) => text.slice(start, ends[at] ?? text.length));
}

/** How a server numbers and names what it tells of the `at`th call: its first delta, and those that follow. */
interface Numbering {
  readonly first: (call: Made, at: number) => Told;
  readonly next: (call: Made, at: number) => Told;
  /** False where only the order tells which call a delta is of. */
  readonly mayMix: boolean;
  readonly hasIds: boolean;
}

const numberings: Readonly<Record<string, Numbering>> = {
  "by index, the id first only": {
    first: ({ id }, index) => ({ index, id }),
    next: (_call, index) => ({ index }),
    mayMix: true,
    hasIds: true,
  },
  "by index, the id always": {
    first: ({ id }, index) => ({ index, id }),
    next: ({ id }, index) => ({ index, id }),
    mayMix: true,
    hasIds: true,
  },
  "by index with gaps, from one on": {
    first: ({ id }, at) => ({ index: 1 + at * 2, id }),
    next: (_call, at) => ({ index: 1 + at * 2 }),
    mayMix: true,
    hasIds: true,
  },
  "by index, no ids at all": {
    first: (_call, index) => ({ index }),
    next: (_call, index) => ({ index }),
    mayMix: true,
    hasIds: false,
  },
  "by id, no index": { first: ({ id }) => ({ id }), next: ({ id }) => ({ id }), mayMix: true, hasIds: true },
  "one index for all, a new id with a name begins the next": {
    first: ({ id }) => ({ index: 0, id }),
    next: () => ({ index: 0 }),
    mayMix: false,
    hasIds: true,
  },
  "the id first only, no index": { first: ({ id }) => ({ id }), next: () => ({}), mayMix: false, hasIds: true },
  "neither index nor id: a name begins the next": { first: () => ({}), next: () => ({}), mayMix: false, hasIds: false },
  "empty ids where there is nothing new": {
    first: ({ id }, index) => ({ index, id }),
    next: (_call, index) => ({ index, id: "" }),
    mayMix: true,
    hasIds: true,
  },
};

/** All deltas in an order that a server may tell them in: each call's own in order, parallel ones mixed where that is allowed. */
function deltasOf(list: readonly Made[], { first, next, mayMix }: Numbering, places: readonly number[]): Told[] {
  const queues = list.map((call, at) => [
    { ...first(call, at), type: "function", function: { name: call.name, arguments: "" } },
    ...pieces(call.text, places).map((piece) => ({ ...next(call, at), function: { arguments: piece } })),
  ]);
  if (!mayMix) return queues.flat();
  const told = queues.map((queue) => queue.shift() as Told);
  for (let round = 0; queues.some((queue) => queue.length > 0); round++) {
    const left = queues.filter((queue) => queue.length > 0);
    told.push(left[(places[round % Math.max(1, places.length)] ?? round) % left.length]?.shift() as Told);
  }
  return told;
}

/** The calls that the deltas amount to, told in groups of any size. */
function reassemble(deltas: readonly Told[], group: number): ToolCall[] {
  const reader = toolCallReader((index) => `made_${index}`);
  const chunks: ChatChunk[] = [];
  for (let at = 0; at < deltas.length; at += group) {
    const tool_calls = reader.read(deltas.slice(at, at + group));
    const choices = [{ index: 0, delta: { tool_calls }, finish_reason: null }];
    chunks.push({ id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices });
  }
  return mergeChunks(chunks).choices[0]?.message.tool_calls ?? [];
}

describe.each(Object.entries(numberings))("parallel calls numbered %s", (_name, numbering) => {
  it("are put together again, however they are cut, mixed and grouped, each with its id", () => {
    fc.assert(
      fc.property(calls, cuts, fc.integer({ min: 1, max: 4 }), (list, places, group) => {
        const expected = list.map(({ id, name, text }, at) => ({
          id: numbering.hasIds ? id : `made_${at}`,
          type: "function",
          function: { name, arguments: text },
        }));
        expect(reassemble(deltasOf(list, numbering, places), group)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

it("calls of a whole answer are the same as those of a stream", () => {
  fc.assert(
    fc.property(calls, cuts, (list, places) => {
      const told = list.map(({ id, name, text }) => ({ id, type: "function", function: { name, arguments: text } }));
      const numbering = numberings["by index, the id first only"] as Numbering;
      const whole = readToolCalls(told, (index) => `made_${index}`);
      expect(reassemble(deltasOf(list, numbering, places), 1)).toEqual(whole);
    }),
  );
});
