import { expect, test } from "vitest";
import { BrokenBody, doneFrame, type FrameWriter, toEvent, toFrame, toFrames } from "../../../src/http/response/sse.ts";

async function collect(frames: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}

/** The frames of a stream that broke, which must fail behind them. */
async function collectBroken(frames: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  const reading = (async () => {
    for await (const frame of frames) all.push(frame);
  })();
  await expect(reading).rejects.toBeInstanceOf(BrokenBody);
  return all;
}

/** A source that counts how often it was returned. */
function sourceOf(...steps: (() => IteratorResult<unknown>)[]) {
  const seen = { returns: 0, pulls: 0 };
  const iterator: AsyncIterator<unknown> = {
    next: async () => steps[seen.pulls++]?.() ?? { done: true, value: undefined },
    return: async () => {
      seen.returns++;
      return { done: true, value: undefined };
    },
  };
  return { seen, iterable: { [Symbol.asyncIterator]: () => iterator } };
}

/** Each chunk as a frame of its own. */
const plainWriter = (fail: (thrown: unknown) => string): FrameWriter<unknown> => ({
  write: toFrame,
  end: () => doneFrame,
  fail,
});

const value = (one: unknown) => () => ({ done: false, value: one });
const tell = (thrown: unknown) => `data: {"told":"${(thrown as Error).message}"}\n\n`;

test("a frame is one line of JSON after `data: ` and ends with an empty line", () => {
  expect(toFrame({ text: "a\nb\r\n\u2028" })).toBe('data: {"text":"a\\nb\\r\\n\u2028"}\n\n');
});

test("the last frame of a complete stream is [DONE]", async () => {
  const { iterable, seen } = sourceOf(value({ n: 1 }), value({ n: 2 }));
  expect(await collect(toFrames(iterable, plainWriter(tell)))).toEqual([
    'data: {"n":1}\n\n',
    'data: {"n":2}\n\n',
    "data: [DONE]\n\n",
  ]);
  expect(seen.returns).toBe(0);
});

test("a failure is one frame, the last, without [DONE]", async () => {
  const { iterable } = sourceOf(value({ n: 1 }), () => {
    throw new Error("cut");
  });
  expect(await collectBroken(toFrames(iterable, plainWriter(tell)))).toEqual([
    'data: {"n":1}\n\n',
    'data: {"told":"cut"}\n\n',
  ]);
});

test("a chunk that cannot be written as JSON fails the stream and lets go of its source", async () => {
  const { iterable, seen } = sourceOf(value({ n: 1n }), value({ n: 2 }));
  const frames = await collectBroken(toFrames(iterable, plainWriter(tell)));
  expect(frames).toHaveLength(1);
  expect(frames[0]).toContain("BigInt");
  expect(seen).toEqual({ returns: 1, pulls: 1 });
});

test("returning early returns the source, exactly once, and nothing comes after", async () => {
  const { iterable, seen } = sourceOf(value(1), value(2), value(3));
  const frames = toFrames(iterable, plainWriter(tell))[Symbol.asyncIterator]();
  await frames.next();
  await frames.return?.();
  await frames.return?.();
  expect(await frames.next()).toEqual({ done: true, value: undefined });
  expect(seen).toEqual({ returns: 1, pulls: 1 });
});

test("what arrives after the return is dropped, a late failure is not told", async () => {
  let release = (_step: IteratorResult<unknown>) => {};
  let refuse = (_thrown: Error) => {};
  const iterator: AsyncIterator<unknown> = {
    next: () =>
      new Promise((resolve, reject) => {
        release = resolve;
        refuse = reject;
      }),
  };
  for (const settle of [() => release({ done: false, value: 1 }), () => refuse(new Error("late"))]) {
    const tellTooLate = plainWriter(() => {
      throw new Error("told too late");
    });
    const frames = toFrames({ [Symbol.asyncIterator]: () => iterator }, tellTooLate)[Symbol.asyncIterator]();
    const pending = frames.next();
    await frames.return?.();
    settle();
    expect((await pending).done).toBe(true);
  }
});

test("a frame with the name of its event", () => {
  expect(toEvent("ping", { type: "ping" })).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});

test("chunks that a writer has nothing to say of make no frame", async () => {
  const { iterable } = sourceOf(value(1), value(2), value(3), value(4));
  const writer: FrameWriter<unknown> = {
    write: (n) => (Number(n) % 2 === 0 ? String(n) : ""),
    end: () => "end",
    fail: () => "fail",
  };
  expect(await collect(toFrames(iterable, writer))).toEqual(["2", "4", "end"]);
});

test("a writer that cannot end the stream fails it", async () => {
  const { iterable } = sourceOf(value(1));
  const writer: FrameWriter<unknown> = {
    write: String,
    end() {
      throw new Error("no end");
    },
    fail: (thrown) => (thrown as Error).message,
  };
  expect(await collectBroken(toFrames(iterable, writer))).toEqual(["1", "no end"]);
});
