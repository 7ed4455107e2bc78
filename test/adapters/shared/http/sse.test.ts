import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SseEvent, sseReader } from "../../../../adapters/shared/http/sse.ts";

function readAll(pieces: readonly Uint8Array[], limit = 1 << 20): SseEvent[] {
  const reader = sseReader(limit);
  const events = pieces.flatMap((piece) => [...reader.feed(piece)]);
  events.push(...reader.end());
  return events.map(({ event, data }) => (event === undefined ? { data } : { event, data }));
}

const stream = [
  ": comment\r\n\r\n",
  "event: start\r\ndata: Grüße 世界\r\n\r\n",
  "data: one\ndata: two\ndata:three\n\n",
  "id: 7\nretry: 10\ndata\n\n",
  "data: 🌍\r\r",
  "unknown: x\ndata: last",
].join("");
const events = [
  { event: "start", data: "Grüße 世界" },
  { data: "one\ntwo\nthree" },
  { data: "" },
  { data: "🌍" },
  { data: "last" },
];

describe("server-sent events", () => {
  it("reads names, multi-line data, comments, all three line ends and a last event without its blank line", () => {
    expect(readAll([Buffer.from(stream)])).toEqual(events);
  });

  it("reads the same events wherever the bytes are cut in two, and byte by byte", () => {
    const bytes = Buffer.from(stream);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(events);
    }
    expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  it("reads any data back, however the bytes are cut", () => {
    const line = fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n\ufeff]/.test(text));
    const data = fc.array(line, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(data, { minLength: 1 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.nat(200)),
        (all, lineEnd, cuts) => {
          const text = all.map((lines) => lines.map((each) => `data: ${each}${lineEnd}`).join("") + lineEnd).join("");
          const bytes = Buffer.from(text);
          const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
          const pieces = at.slice(1).map((end, n) => bytes.subarray(at[n], end));
          expect(readAll(pieces).map((event) => event.data)).toEqual(all.map((lines) => lines.join("\n")));
        },
      ),
    );
  });

  it("skips a byte order mark", () => {
    expect(readAll([Buffer.from("\ufeffdata: x\n\n")])).toEqual([{ data: "x" }]);
  });

  it("refuses an unfinished line and an unfinished event over the limit, not long streams of short events", () => {
    const line = Buffer.from(`data: ${"x".repeat(100)}`);
    expect(() => readAll([line, line], 150)).toThrow(RangeError);
    const lines = Buffer.from(`data: ${"x".repeat(100)}\n`);
    expect(() => readAll([lines, lines], 150)).toThrow(RangeError);
    const short = Buffer.from(`data: ${"x".repeat(100)}\n\n`);
    expect(
      readAll(
        Array.from({ length: 50 }, () => short),
        150,
      ),
    ).toHaveLength(50);
  });
});
