import { describe, expect, it } from "vitest";
import { decodeStream, type EventDecoder } from "../../../../adapters/shared/chat/decode.ts";
import type { SseEvent } from "../../../../adapters/shared/http/sse.ts";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { collect, failureOf, textOf } from "../../../fixtures/native.ts";

/** Words become text, `stop` completes the answer, `reason` all but its last word, `fail` is an error event. */
function wordDecoder(): EventDecoder {
  let hasReason = false;
  return {
    read(data, out) {
      if (data === "fail") throw new GatewayError("upstream_error", "no");
      hasReason ||= data === "reason";
      if (data !== "stop" && data !== "reason") out.push(chunk(data));
      return data === "stop";
    },
    end(out) {
      if (!hasReason) throw new GatewayError("upstream_stream_broken", "cut");
      out.push(chunk("."));
    },
  };
}

/** The chunks of a stream, and what it warns of. */
function decoded(open: () => AsyncIterable<readonly SseEvent[]>) {
  const warnings: string[] = [];
  const call = { id: "1", model: "m", startedAt: 0, warn: (text: string) => void warnings.push(text) };
  return { chunks: decodeStream({ provider: "p", call }, open, wordDecoder()), warnings };
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

/** One batch, and what ends the connection. */
function lostAfter(words: readonly string[], error: GatewayError): () => AsyncIterable<readonly SseEvent[]> {
  return async function* () {
    yield words.map((data) => ({ data }));
    throw error;
  };
}

async function laterTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

describe("a decoded stream", () => {
  it("gives nothing of what follows a complete answer", async () => {
    const { open } = batches(["a", "b", "stop", "c"], ["d"]);
    expect(textOf(await collect(decoded(open).chunks))).toBe("ab");
  });

  it("that is complete is read to the end of its message, so that the connection can be used again", async () => {
    const { open, log } = batches(["a", "stop"]);
    await collect(decoded(open).chunks);
    await laterTurns();
    expect(log).toEqual(["read to the end", "closed"]);
  });

  it("that the reader leaves is closed", async () => {
    const { open, log } = batches(["a"], ["b"], ["stop"]);
    for await (const _chunk of decoded(open).chunks) break;
    expect(log).toEqual(["closed"]);
  });

  it("that fails gives first what came before the error, even in the same batch", async () => {
    const { open } = batches(["a", "b", "fail"]);
    const stream = decoded(open).chunks;
    expect(await stream.next()).toMatchObject({ value: chunk("a") });
    expect(await stream.next()).toMatchObject({ value: chunk("b") });
    expect((await failureOf(stream.next())).code).toBe("upstream_error");
  });

  it("that fails is closed, and fails with what the event says", async () => {
    const { open, log } = batches(["a", "fail"], ["b"]);
    expect((await failureOf(collect(decoded(open).chunks))).code).toBe("upstream_error");
    expect(log).toEqual(["closed"]);
  });

  it("that ends by itself is what the decoder makes of it", async () => {
    const { open } = batches(["a"]);
    expect((await failureOf(collect(decoded(open).chunks))).code).toBe("upstream_stream_broken");
  });

  it.each(["upstream_stream_broken", "upstream_timeout"] as const)(
    "that is lost (%s) behind the reason for its end is whole, with a warning",
    async (code) => {
      const { chunks, warnings } = decoded(lostAfter(["a", "reason"], new GatewayError(code, "lost")));
      expect(textOf(await collect(chunks))).toBe("a.");
      expect(warnings).toEqual(["the stream of p broke off after its last content"]);
    },
  );

  it.each([
    { what: "lost before that", words: ["a"], code: "upstream_stream_broken" as const },
    { what: "ended otherwise behind it", words: ["a", "reason"], code: "request_cancelled" as const },
  ])("that is $what fails with what ended it, without a warning", async ({ words, code }) => {
    const { chunks, warnings } = decoded(lostAfter(words, new GatewayError(code, "how it ended")));
    expect(await failureOf(collect(chunks))).toMatchObject({ code, message: "how it ended" });
    expect(warnings).toEqual([]);
  });

  it("is opened when it is read, not before", () => {
    decoded(() => {
      throw new Error("opened");
    });
  });
});
