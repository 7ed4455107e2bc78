import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import type { ChatRequest, ChatResponse } from "../../../../src/engine/api/chat.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";
import {
  collect,
  cutAt,
  pairedNames,
  playedTransport,
  readAnswer,
  readBytes,
  recordedCall,
  withParsedArguments,
} from "../../../fixtures/native.ts";

const request: ChatRequest = { model: "anthropic/claude-sonnet-4-6", messages: [{ role: "user", content: "Hi" }] };
const names = pairedNames("anthropic");

async function whole(name: string): Promise<ChatResponse> {
  const provider = anthropic({
    apiKey: "k",
    transport: playedTransport({ bodies: [readAnswer(`anthropic/${name}.json`)] }),
  });
  return (await provider.chat?.(request, recordedCall("claude-sonnet-4-6"))) as ChatResponse;
}

async function streamed(pieces: readonly Uint8Array[]): Promise<ChatResponse> {
  const provider = anthropic({ apiKey: "k", transport: playedTransport({ pieces }) });
  return mergeChunks(await collect(provider.streamChat?.(request, recordedCall("claude-sonnet-4-6"))));
}

describe.each(names)("the stream of %s", (name) => {
  const bytes = readBytes(`anthropic/${name}.sse`);

  it("folds to the whole answer, cut into any pieces", async () => {
    const expected = withParsedArguments(await whole(name));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length - 1), { maxLength: 60 }), async (cuts) => {
        expect(withParsedArguments(await streamed(cutAt(bytes, cuts)))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

it("there are fixtures to fold", () => {
  expect(names.length).toBeGreaterThanOrEqual(11);
});
