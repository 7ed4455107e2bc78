import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
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
} from "../../../fixtures/native.ts";

const request: ChatRequest = { model: "gemini/gemini-3.8-flash", messages: [{ role: "user", content: "Hi" }] };
const names = pairedNames("gemini");

async function whole(name: string): Promise<ChatResponse> {
  const provider = gemini({ apiKey: "k", transport: playedTransport({ bodies: [readAnswer(`gemini/${name}.json`)] }) });
  return (await provider.chat?.(request, recordedCall("gemini-3.8-flash"))) as ChatResponse;
}

async function streamed(pieces: readonly Uint8Array[]): Promise<ChatResponse> {
  const provider = gemini({ apiKey: "k", transport: playedTransport({ pieces }) });
  return mergeChunks(await collect(provider.streamChat?.(request, recordedCall("gemini-3.8-flash"))));
}

describe.each(names)("the stream of %s", (name) => {
  const bytes = readBytes(`gemini/${name}.sse`);

  it("folds to the whole answer, cut into any pieces", async () => {
    const expected = await whole(name);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length - 1), { maxLength: 60 }), async (cuts) => {
        expect(await streamed(cutAt(bytes, cuts))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

it("there are fixtures to fold", () => {
  expect(names.length).toBeGreaterThanOrEqual(14);
});
