import { afterAll, beforeAll, describe } from "vitest";
import { anthropic } from "../../adapters/providers/anthropic/index.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { type Aimock, aimockRules, startAimock } from "./aimock.ts";

let mock: Aimock;
let provider: Provider;

beforeAll(async () => {
  mock = await startAimock();
  provider = anthropic({ apiKey: "sk-ant-mock", baseUrl: mock.url });
});

afterAll(async () => {
  await provider.close?.();
  await mock.stop();
});

describe("anthropic against an independent mock in a process of its own", () => {
  aimockRules({ provider: () => provider, model: "claude-sonnet-4-6" });
});
