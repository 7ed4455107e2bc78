import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropicClient } from "../../../fixtures/talks/client-anthropic.ts";
import { chatClient } from "../../../fixtures/talks/client-chat.ts";
import { cohereClient } from "../../../fixtures/talks/client-cohere.ts";
import { genaiClient } from "../../../fixtures/talks/client-genai.ts";
import { responsesClient } from "../../../fixtures/talks/client-responses.ts";
import { holdTalk } from "../../../fixtures/talks/hold.ts";
import { talks } from "../../../fixtures/talks/talk.ts";
import { tableVendors } from "../../../fixtures/talks/vendors.ts";

const clients = {
  "/v1/chat/completions": chatClient,
  "/v1/responses": responsesClient,
  "/anthropic": anthropicClient,
  "/genai": genaiClient,
  "/cohere": cohereClient,
};

const names = Object.keys(tableVendors);
const numRuns = Number(process.env.TALKS ?? 60);

describe.each(Object.entries(clients))("what a client of %s says", (_dialect, client) => {
  const pair = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names));

  it("is taken by any vendor, and its answer by any other, whole and streamed; what is lost is named", async () => {
    await fc.assert(
      fc.asyncProperty(talks(client.words), pair, fc.boolean(), async (talk, [first, second], isStream) => {
        expect(await holdTalk(client, talk, { first, second, isStream })).toEqual([]);
      }),
      { numRuns },
    );
  });
});
