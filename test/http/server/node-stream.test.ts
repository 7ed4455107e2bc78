import { expect, test } from "vitest";
import { BrokenBody } from "../../../src/http/response/sse.ts";
import { writeFrames } from "../../../src/http/server/node-stream.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { endlessFrames, FakeSink, pushedFrames, still } from "../support/frames.ts";
import { turns } from "../support/server.ts";

test("frames of one batch are one write, frames of two batches are two", async () => {
  const sink = new FakeSink();
  const { iterable, push, finish } = pushedFrames();
  const over = writeFrames(sink, iterable, still());
  await turns(1);
  push("a", "b", "c");
  await turns(1);
  push("d");
  await turns(1);
  finish();
  await over;
  expect(sink.writes).toEqual(["abc", "d"]);
  expect(sink.ended).toBe("");
});

test("the last frames leave with the end", async () => {
  const sink = new FakeSink();
  const { iterable, push, finish } = pushedFrames();
  const over = writeFrames(sink, iterable, still());
  push("a");
  await Promise.resolve();
  await Promise.resolve();
  finish();
  await over;
  expect([...sink.writes, sink.ended].join("")).toBe("a");
});

test("a full sink is waited for, with at most one frame pulled ahead", async () => {
  const sink = new FakeSink(1);
  const { iterable, push, seen } = pushedFrames();
  void writeFrames(sink, iterable, still());
  await turns(1);
  push("a");
  await turns(1);
  push("b", "c", "d");
  await turns(5);
  expect(sink.writes).toEqual(["a"]);
  expect(seen.pulls).toBe(2);
  sink.room = 2;
  sink.emit("drain");
  await turns(5);
  expect(sink.writes.join("")).toBe("abcd");
});

test("frames that are always ready leave the event loop its turns and stop at a full sink", async () => {
  const sink = new FakeSink(3);
  const { iterable, seen } = endlessFrames("x".repeat(1_024));
  void writeFrames(sink, iterable, still());
  await turns(50);
  expect(sink.writes.every((text) => text.length <= 65_536 + 1_024)).toBe(true);
  expect(sink.writes).toHaveLength(3);
  expect(seen.pulls).toBeLessThanOrEqual(3 * 64 + 1);
});

test("a sink that closes returns the frames exactly once, whether they were being waited for or held back", async () => {
  const waiting = pushedFrames();
  const first = new FakeSink();
  void writeFrames(first, waiting.iterable, still());
  await turns(1);
  first.emit("close");
  first.emit("close");
  expect(waiting.seen.returns).toBe(1);

  const held = endlessFrames("x".repeat(70_000));
  const full = new FakeSink(1);
  const over = writeFrames(full, held.iterable, still());
  await turns(3);
  full.emit("close");
  await over;
  expect(held.seen).toEqual({ pulls: 1, returns: 1 });
  expect(full.ended).toBeUndefined();
});

test("nothing is written after the sink has closed", async () => {
  const sink = new FakeSink();
  const { iterable, push } = pushedFrames();
  void writeFrames(sink, iterable, still());
  await turns(1);
  sink.emit("close");
  push("late");
  await turns(2);
  expect([sink.writes, sink.ended]).toEqual([[], undefined]);
});

test("a stream that ends is not returned, though its sink closes afterwards", async () => {
  const sink = new FakeSink();
  const { iterable, finish, seen } = pushedFrames();
  const over = writeFrames(sink, iterable, still());
  await turns(1);
  finish();
  await over;
  sink.emit("close");
  expect(seen.returns).toBe(0);
});

test("what bridges a silence may be another filler, for text that is none of events", async () => {
  const sink = new FakeSink();
  const clock = fakeClock();
  void writeFrames(sink, pushedFrames().iterable, { clock, keepAliveMs: 15_000, filler: () => "\n" });
  await clock.advance(15_000);
  expect(sink.writes).toEqual(["\n"]);
});

test("a comment is sent after 15 s of silence and again after each further 15 s", async () => {
  const sink = new FakeSink();
  const clock = fakeClock();
  const { iterable, push } = pushedFrames();
  void writeFrames(sink, iterable, { clock, keepAliveMs: 15_000 });
  await clock.advance(14_999);
  expect(sink.writes).toEqual([]);
  await clock.advance(1);
  expect(sink.writes).toEqual([": keep-alive\n\n"]);
  await clock.advance(15_000);
  expect(sink.writes).toHaveLength(2);
  push("data: 1\n\n");
  await clock.advance(0);
  expect(sink.writes[2]).toBe("data: 1\n\n");
});

test("silence is counted from the last frame, not from the timer", async () => {
  const sink = new FakeSink();
  const clock = fakeClock();
  const { iterable, push } = pushedFrames();
  void writeFrames(sink, iterable, { clock, keepAliveMs: 15_000 });
  await clock.advance(10_000);
  push("a");
  await turns(1);
  await clock.advance(14_999);
  expect(sink.writes).toEqual(["a"]);
  await clock.advance(1);
  expect(sink.writes).toEqual(["a", ": keep-alive\n\n"]);
});

test("a full sink gets no comments, and the timer goes with the stream", async () => {
  const sink = new FakeSink(1);
  const clock = fakeClock();
  const { iterable, push, finish } = pushedFrames();
  const over = writeFrames(sink, iterable, { clock, keepAliveMs: 15_000 });
  await turns(1);
  push("a");
  await turns(1);
  await clock.advance(60_000);
  expect(sink.writes).toEqual(["a"]);
  sink.room = 5;
  sink.emit("drain");
  finish();
  await over;
  expect(clock.pending).toBe(0);
});

test("0 turns comments off", async () => {
  const sink = new FakeSink();
  const clock = fakeClock();
  void writeFrames(sink, pushedFrames().iterable, { clock, keepAliveMs: 0 });
  await clock.advance(100_000);
  expect([sink.writes, clock.pending]).toEqual([[], 0]);
});

test("frames of a stream that broke break the response off behind the last of them", async () => {
  const sink = new FakeSink();
  const frames = (async function* () {
    yield "a";
    yield "error";
    throw new BrokenBody(new Error("cut"));
  })();
  await writeFrames(sink, frames, still());
  expect(sink.writes.join("") + sink.brokenOff).toBe("aerror");
  expect(sink.ended).toBeUndefined();
});
