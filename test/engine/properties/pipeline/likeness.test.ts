import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChunkReader, chunkReader } from "../../../../adapters/shared/openai-compatible/response/chunks.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";

const faultError = () => new Error("fault") as never;

function readerOf(): ChunkReader {
  const call = { id: "call", model: "asked", startedAt: 5_000, warn: () => {} } as unknown as ProviderCall;
  return chunkReader({ provider: "vendor", http: { faultError }, call });
}

const text = fc.oneof(fc.string(), fc.constantFrom("", '"', "\\", '","content":"b', "another text", "\n"));
const seldom = <Value>(value: Value) => fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.constant(value));

/** Events as vendors send them: mostly alike but for their text, now and then otherwise, with fields in another order or twice. */
const event = fc
  .record({
    id: fc.constantFrom("a", "a", "a", "b"),
    text,
    key: fc.constantFrom("content", "content", "content", "reasoning_content", "reasoning"),
    finish: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant("stop")),
    role: seldom({ role: "assistant" }),
    calls: seldom({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] }),
    usage: seldom({ usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
    noise: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.string({ maxLength: 3 })),
    twice: fc.constantFrom(false, false, false, true),
  })
  .map(({ id, text: said, key, finish, role, calls, usage, noise, twice }) => {
    const delta = JSON.stringify({ ...role, [key]: said, ...calls });
    const told = twice ? delta.replace(/\}$/, `,"${key}":"again"}`) : delta;
    const rest = JSON.stringify({ ...usage, ...(noise === undefined ? {} : { obfuscation: noise }) }).slice(1, -1);
    const choices = `[{"index":0,"delta":${told},"finish_reason":${JSON.stringify(finish)}}]`;
    return `{"id":"${id}","model":"m","choices":${choices}${rest === "" ? "" : `,${rest}`}}`;
  });

test("a stream is read alike whether an event resembles one before or not", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const [reader, plain] = [readerOf(), readerOf()];
      for (const data of events) {
        // white space behind an event makes it no text of a pattern, and changes nothing of what it says
        const [alike, apart] = [reader.read([{ data }]), plain.read([{ data: `${data}${" ".repeat(spaces++ % 97)}` }])];
        expect(alike).toEqual(apart);
      }
      expect(reader.isComplete()).toBe(plain.isComplete());
    }),
    { numRuns: 1_000 },
  );
});

let spaces = 1;
