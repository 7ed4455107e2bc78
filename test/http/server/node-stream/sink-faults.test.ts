import { expect, test } from "vitest";
import { writeFrames } from "../../../../src/http/server/node-stream.ts";
import { endlessFrames, FakeSink, pushedFrames, still } from "../../support/frames.ts";
import { turns } from "../../support/server.ts";

test("nothing is written after somebody else has ended the sink, and the frames are returned once", async () => {
  const sink = new FakeSink();
  const { seen, iterable, push } = pushedFrames();
  const over = writeFrames(sink, iterable, still());
  await turns(1);
  push("one");
  await turns(2);
  sink.writableEnded = true;
  push("two");
  await over;
  sink.emit("close");
  expect([sink.writes, sink.ended, seen.returns]).toEqual([["one"], undefined, 1]);
});

test("frames that end after somebody else has ended the sink end nothing twice", async () => {
  const sink = new FakeSink();
  const { iterable, finish } = pushedFrames();
  const over = writeFrames(sink, iterable, still());
  sink.writableEnded = true;
  await turns(1);
  finish();
  await over;
  expect(sink.ended).toBeUndefined();
});

test.each(["x", "x".repeat(70_000)])(
  "a sink whose `write` throws is told of once, and the frames are returned",
  async (frame) => {
    const sink = new FakeSink();
    const { seen, iterable } = endlessFrames(frame);
    const broken = new Error("no");
    sink.write = () => {
      throw broken;
    };
    await expect(writeFrames(sink, iterable, still())).rejects.toBe(broken);
    await turns(2);
    const { pulls } = seen;
    await turns(2);
    expect([seen.returns, seen.pulls - pulls]).toEqual([1, 0]);
  },
);

test("a sink whose `end` throws is told of", async () => {
  const sink = new FakeSink();
  const { iterable, finish } = pushedFrames();
  const broken = new Error("no");
  sink.end = () => {
    throw broken;
  };
  const over = writeFrames(sink, iterable, still());
  await turns(1);
  finish();
  await expect(over).rejects.toBe(broken);
});
