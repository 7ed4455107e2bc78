export { anyChat, anyModelName, anyScript, anyStep, type Cast } from "./arbitraries.ts";
export { type FakeBackupDriver, fakeBackupDriver } from "./backup-driver.ts";
export { type FakeClock, type FakeClockOptions, fakeChance, fakeClock } from "./clock.ts";
export { answerCacheCases } from "./conformance/answers.ts";
export type { ConformanceCase } from "./conformance/case.ts";
export { countersCases } from "./conformance/counters.ts";
export { ledgerCases } from "./conformance/ledger.ts";
export { type LedgerPlace, ledgerCrashCases } from "./conformance/ledger-crash.ts";
export { providerCases } from "./conformance/provider.ts";
export type {
  ChatFixture,
  EmbeddingFixture,
  FaultFixture,
  ModelsFixture,
  ProviderFixture,
  ProviderMaker,
  ProviderPlace,
  QuestionFixture,
  RerankFixture,
  WireExpectation,
} from "./conformance/provider-fixture.ts";
export { recordsCases } from "./conformance/records.ts";
export { vectorIndexCases } from "./conformance/vectors.ts";
export { countingIds, type ScriptedEngine, type ScriptedOptions, scriptedEngine, scriptedWorld } from "./engine.ts";
export { scriptedPrices } from "./prices.ts";
export { type Script, type ScriptedProviders, type Step, scriptedProviders } from "./script.ts";
export { type HttpCallerOptions, httpCaller, type WallCaller, type WallCallOptions } from "./wall/caller.ts";
export type { WallControl } from "./wall/control.ts";
export type { WallCall } from "./wall/journal.ts";
export { hedgingOptions, type JudgedOptions, policyOf, quickOptions, quickPolicy } from "./wall/policy.ts";
export { describeReports, type NamedReports } from "./wall/report.ts";
export { type LeftOut, runWall, type WallReport, type WallRow, type WallRunOptions } from "./wall/run.ts";
export type { Conduct, Count, Need, Outcome, Round, Scenario, Speaker, WallPolicy, Way } from "./wall/scenario.ts";
export { scenarios } from "./wall/scenarios.ts";
export { startWall, type Wall, type WallOptions } from "./wall/start.ts";
export type { DialectName } from "./wall/wire.ts";
