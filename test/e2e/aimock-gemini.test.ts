import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gemini } from "../../adapters/providers/gemini/index.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { recordedCall } from "../fixtures/native.ts";
import { type Aimock, aimockRules, startAimock } from "./aimock.ts";

let mock: Aimock;
let provider: Provider;

beforeAll(async () => {
  mock = await startAimock();
  provider = gemini({ apiKey: "mock-key", baseUrl: mock.url });
});

afterAll(async () => {
  await provider.close?.();
  await mock.stop();
});

describe("gemini against an independent mock in a process of its own", () => {
  aimockRules({ provider: () => provider, model: "gemini-3.8-flash" });

  it("embeddings come in order", async () => {
    const request = { model: "mock/gemini-embedding-001", input: "embed this" };
    const answer = await provider.embed?.(request, recordedCall("gemini-embedding-001"));
    expect(answer?.data).toEqual([{ object: "embedding", index: 0, embedding: [0.25, -0.5, 0.125] }]);
  });
});
