import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { plainWriter } from "../../../src/http/response/chunk-frames.ts";
import { chunkWithOpenaiNames } from "../../../src/http/response/openai-names.ts";
import { toFrame } from "../../../src/http/response/sse.ts";

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("\u0001text", "\u0001latency", '"', "\\", "\n\u2028", "\ud800", "\u{1f600}\t"),
);
const sometimes = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, value);

/** Chunks that are mostly alike, so that each way of being different is met behind a like one. */
const chunk = fc
  .record({
    id: fc.constantFrom("a", "b"),
    created: fc.constantFrom(1, 1, 1, 2),
    model: fc.constantFrom("m", "m", "m", "\u0001text"),
    vendor: sometimes(fc.oneof(fc.constantFrom("x", null, 1, true), fc.constantFrom({ nested: 1 }, { nested: 2 }))),
    content: text,
    extra: sometimes(fc.record({ role: fc.constant("assistant") })),
    choice: sometimes(fc.constantFrom({ log_probs: { content: [] } }, { stop: "s" })),
    index: fc.constantFrom(0, 0, 0, 1),
    finish: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant("stop")),
    count: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.constantFrom(0, 2)),
    latency: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(1, 2.5, 0) }, fc.constant(Number.NaN)),
    at: fc.nat(3),
    warnings: sometimes(fc.constant(["w"])),
  })
  .map(({ id, created, model, vendor, content, extra, choice, index, finish, count, latency, at, warnings }) => {
    const one = { index, finish_reason: finish, ...choice, delta: { content, ...extra } };
    const extraFields = { request_type: "chat_completion_stream", provider: "p", latency, chunk_index: at };
    return {
      id,
      created,
      model,
      ...(vendor === undefined ? {} : { vendor }),
      choices: Array.from({ length: count }, () => one),
      extra_fields: { ...extraFields, ...(warnings ? { warnings } : {}) },
    } as unknown as ChatChunk;
  });

test("every frame says what its chunk says, whatever came before", () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
      const writer = plainWriter(String);
      for (const one of chunks) {
        const frame = writer.write(one);
        expect(frame.startsWith("data: ") && frame.endsWith("\n\n")).toBe(true);
        expect(JSON.parse(frame.slice(6))).toEqual(JSON.parse(toFrame(chunkWithOpenaiNames(one)).slice(6)));
      }
    }),
    { numRuns: 500 },
  );
});
