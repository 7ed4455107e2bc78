import { describe, expect, it } from "vitest";
import { decodeStream, type EventDecoder } from "../../../../../adapters/shared/chat/decode.ts";
import type { SseEvent } from "../../../../../adapters/shared/http/sse.ts";
import type { ChatChunk } from "../../../../../src/api/chat.ts";
import { GatewayError } from "../../../../../src/errors.ts";
import { collect, failureOf, textOf } from "../../../../fixtures/native.ts";

/** Words become text, `stop` completes the answer, `fail` is an error event. */
function wordDecoder(): EventDecoder {
  return {
    read(data, out) {
      if (data === "fail") throw new GatewayError("upstream_error", "no");
      if (data !== "stop") out.push(chunk(data));
      return data === "stop";
    },
    end() {
      throw new GatewayError("upstream_stream_broken", "cut");
    },
  };
}

function chunk(content: string): ChatChunk {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  return { id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices };
}

interface Batches {
  readonly log: string[];
  open(): AsyncGenerator<readonly SseEvent[], void, undefined>;
}

/** Batches of words, and what became of the reading of them. */
function batches(...words: readonly string[][]): Batches {
  const log: string[] = [];
  async function* read() {
    try {
      for (const batch of words) yield batch.map((data) => ({ data }));
      log.push("read to the end");
    } finally {
      log.push("closed");
    }
  }
  return { log, open: read };
}

async function laterTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe("a decoded stream", () => {
  it("gives nothing of what follows a complete answer", async () => {
    const { open } = batches(["a", "b", "stop", "c"], ["d"]);
    expect(textOf(await collect(decodeStream(open, wordDecoder())))).toBe("ab");
  });

  it("that is complete is read to the end of its message, so that the connection can be used again", async () => {
    const { open, log } = batches(["a", "stop"]);
    await collect(decodeStream(open, wordDecoder()));
    await laterTurns();
    expect(log).toEqual(["read to the end", "closed"]);
  });

  it("that the reader leaves is closed", async () => {
    const { open, log } = batches(["a"], ["b"], ["stop"]);
    for await (const _chunk of decodeStream(open, wordDecoder())) break;
    expect(log).toEqual(["closed"]);
  });

  it("that fails gives first what came before the error, even in the same batch", async () => {
    const { open } = batches(["a", "b", "fail"]);
    const stream = decodeStream(open, wordDecoder());
    expect(await stream.next()).toMatchObject({ value: chunk("a") });
    expect(await stream.next()).toMatchObject({ value: chunk("b") });
    expect((await failureOf(stream.next())).code).toBe("upstream_error");
  });

  it("that fails is closed, and fails with what the event says", async () => {
    const { open, log } = batches(["a", "fail"], ["b"]);
    expect((await failureOf(collect(decodeStream(open, wordDecoder())))).code).toBe("upstream_error");
    expect(log).toEqual(["closed"]);
  });

  it("that ends by itself is what the decoder makes of it", async () => {
    const { open } = batches(["a"]);
    expect((await failureOf(collect(decodeStream(open, wordDecoder())))).code).toBe("upstream_stream_broken");
  });

  it("is opened when it is read, not before", () => {
    decodeStream(() => {
      throw new Error("opened");
    }, wordDecoder());
  });
});
