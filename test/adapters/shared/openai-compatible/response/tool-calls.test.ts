import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToolCalls, toolCallReader } from "../../../../../adapters/shared/openai-compatible/response/tool-calls.ts";
import { mergeChunks } from "../../../../../src/engine/metering/merge-chunks.ts";

const idAt = (index: number) => `made-${index}`;
const anyCall = fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), arguments: fc.json() });
const anyCalls = fc.array(anyCall, { minLength: 1, maxLength: 4 });
type Call = { name: string; arguments: string };

/** How vendors tell which call a delta belongs to. */
const styles = {
  "index and id on the first delta": (at: number, isFirst: boolean) => ({
    index: at,
    ...(isFirst ? { id: `id-${at}` } : {}),
  }),
  "index and id on every delta": (at: number) => ({ index: at, id: `id-${at}` }),
  "index, id and name on every delta": (at: number) => ({ index: at, id: `id-${at}`, hasName: true }),
  "index and another id on every delta": (at: number, isFirst: boolean) => ({ index: at, id: `id-${at}-${isFirst}` }),
  "index and no id": (at: number) => ({ index: at }),
  "id and no index": (at: number) => ({ id: `id-${at}` }),
  "id on the first delta and no index": (at: number, isFirst: boolean) => (isFirst ? { id: `id-${at}` } : {}),
  "no id and no index": () => ({}),
  "index 0 for all, a new id for a new call": (at: number, isFirst: boolean) => ({
    index: 0,
    ...(isFirst ? { id: `id-${at}` } : {}),
  }),
};

function deltasOf(calls: readonly Call[], style: keyof typeof styles, cut: number): object[] {
  return calls.flatMap((call, at) => {
    const at_ = Math.min(cut, call.arguments.length);
    const pieces = [call.arguments.slice(0, at_), call.arguments.slice(at_)];
    return pieces.map((piece, n) => {
      const { hasName = n === 0, ...which }: { hasName?: boolean } = styles[style](at, n === 0);
      return { ...which, function: { ...(hasName ? { name: call.name } : {}), arguments: piece } };
    });
  });
}

function fold(batches: readonly object[][]) {
  const reader = toolCallReader(idAt);
  const choices = batches.map((batch) => [
    { index: 0, finish_reason: null, delta: { tool_calls: reader.read(batch) } },
  ]);
  const chunks = choices.map((each) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: each,
  }));
  return mergeChunks(chunks).choices[0]?.message.tool_calls ?? [];
}

describe.each(Object.keys(styles) as (keyof typeof styles)[])("tool calls of a stream with %s", (style) => {
  it("come out whole, in order, each with an id of its own", () => {
    fc.assert(
      fc.property(anyCalls, fc.nat(10), fc.boolean(), (calls, cut, isOneBatch) => {
        const deltas = deltasOf(calls, style, cut);
        const folded = fold(isOneBatch ? [deltas] : deltas.map((delta) => [delta]));
        expect(folded.map((call) => call.function)).toEqual(calls);
        expect(new Set(folded.map((call) => call.id)).size).toBe(calls.length);
        expect(folded.every((call) => call.type === "function")).toBe(true);
      }),
    );
  });
});

describe("tool calls", () => {
  it("may be interleaved when they have indices", () => {
    const folded = fold([
      [{ index: 0, id: "a", function: { name: "f", arguments: '{"x"' } }],
      [{ index: 1, id: "b", function: { name: "g", arguments: "[" } }],
      [
        { index: 0, function: { arguments: ":1}" } },
        { index: 1, function: { arguments: "]" } },
      ],
    ]);
    expect(folded).toEqual([
      { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
      { id: "b", type: "function", function: { name: "g", arguments: "[]" } },
    ]);
  });

  it("are told in the order in which they began, whatever their indices", () => {
    const folded = fold([
      [{ index: 3, id: "a", function: { name: "f" } }],
      [{ index: 1, id: "b", function: { name: "g" } }],
    ]);
    expect(folded.map((call) => call.id)).toEqual(["a", "b"]);
  });

  it("have the same made-up ids whole and streamed", () => {
    const told = [{ function: { name: "f", arguments: "{}" } }, { function: { name: "g", arguments: "{}" } }];
    expect(fold([told]).map((call) => call.id)).toEqual(readToolCalls(told, idAt).map((call) => call.id));
  });

  it("may be named after they began, and once", () => {
    const folded = fold([
      [{ index: 0, id: "a", function: { arguments: "" } }],
      [{ index: 0, function: { name: "f" } }],
      [{ index: 0, function: { name: "f", arguments: "{}" } }],
    ]);
    expect(folded).toEqual([{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }]);
  });

  it("keep what the vendor adds", () => {
    const [call] = fold([
      [{ index: 0, id: "a", extra_content: { google: 1 }, function: { name: "f", arguments: "{}" } }],
    ]);
    expect(call).toMatchObject({ extra_content: { google: 1 } });
  });
});
