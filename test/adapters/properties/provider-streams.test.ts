import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompatibleName, compatible, compatibleProviders } from "../../../adapters/providers/compatible/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { essenceOf } from "../../../src/testing/conformance/provider/essence.ts";
import type { ChatFixture, ProviderMaker } from "../../../src/testing/conformance/provider/fixture.ts";
import { bytesOf, collect, inPieces, recordedCall } from "../../../src/testing/conformance/provider/play.ts";
import { readExchanges } from "../../fixtures/exchanges.ts";

const makers: Record<string, ProviderMaker> = {
  openai: ({ baseUrl, ...rest }) => openai({ ...rest, baseUrl: `${baseUrl}/v1` }),
};
for (const name of Object.keys(compatibleProviders) as CompatibleName[])
  makers[name] = (place) => compatible(name, place);

const streams = Object.entries(makers).flatMap(([vendor, make]) =>
  readExchanges(vendor)
    .filter((fixture): fixture is ChatFixture => fixture.kind === "chat" && fixture.stream !== undefined)
    .map((fixture) => ({ title: `${vendor} ${fixture.name}`, make, fixture })),
);

describe("a stream in any number of pieces", () => {
  it.each(streams)("folds to the message and usage of the whole answer: $title", async ({ make, fixture }) => {
    const bytes = bytesOf(fixture.stream?.bytes ?? "");
    const expected = essenceOf(fixture.expected);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 40 }),
        async (cuts) => {
          const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const pieces = at.slice(1).map((end, n) => bytes.subarray(at[n], end));
          const provider = inPieces(make, pieces);
          const chunks = await collect(provider.streamChat?.(fixture.request, recordedCall(fixture.model)) ?? empty());
          expect(essenceOf(mergeChunks(chunks))).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});

async function* empty() {}
