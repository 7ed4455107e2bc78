import fc from "fast-check";
import { expect, it } from "vitest";
import { createEventParser, waitBeforeTry } from "../../../console/src/api/event-stream.ts";

const stream = 'id: 1\nevent: settled\ndata: {"a":1}\n\n: keep alive\n\nid: 2\ndata: one\ndata: two\n\n';

it("events are the same wherever the stream is cut", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 8 }), (cuts) => {
      const parse = createEventParser();
      const ends = [...new Set([0, ...cuts, stream.length])].sort((one, other) => one - other);
      const events = ends.slice(1).flatMap((end, at) => parse(stream.slice(ends[at], end)));
      expect(events).toEqual([
        { id: "1", event: "settled", data: '{"a":1}' },
        { id: "2", event: "message", data: "one\ntwo" },
      ]);
    }),
  );
});

it("an event that is not complete is not shown", () => {
  expect(createEventParser()("id: 1\ndata: half\n")).toEqual([]);
});

it("a stream that breaks is waited for longer each time, up to half a minute, and never in step with others", () => {
  expect([0, 1, 2, 3].map((failures) => waitBeforeTry(failures, 1))).toEqual([500, 1_000, 2_000, 4_000]);
  expect([waitBeforeTry(0, 0), waitBeforeTry(40, 0), waitBeforeTry(40, 1)]).toEqual([250, 15_000, 30_000]);
});
