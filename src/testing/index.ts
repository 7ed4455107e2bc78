export { anyChat, anyModelName, anyScript, anyStep, type Cast } from "./arbitraries.ts";
export { type FakeClock, type FakeClockOptions, fakeChance, fakeClock } from "./clock.ts";
export type { ConformanceCase } from "./conformance/case.ts";
export { providerCases } from "./conformance/provider.ts";
export type {
  ChatFixture,
  EmbeddingFixture,
  FaultFixture,
  ModelsFixture,
  ProviderFixture,
  ProviderMaker,
  ProviderPlace,
  WireExpectation,
} from "./conformance/provider-fixture.ts";
export { countingBytes, countingIds, type ScriptedEngine, type ScriptedOptions, scriptedEngine } from "./engine.ts";
export { scriptedPrices } from "./prices.ts";
export { type Script, type ScriptedProviders, type Step, scriptedProviders } from "./script.ts";
