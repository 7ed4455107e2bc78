export { type FakeBackupDriver, fakeBackupDriver } from "./backup-driver.ts";
export { type FakeClock, type FakeClockOptions, fakeChance, fakeClock } from "./clock.ts";
export { answerCacheCases } from "./conformance/answers.ts";
export type { ConformanceCase } from "./conformance/case.ts";
export { countersCases } from "./conformance/counters/cases.ts";
export { ledgerCases } from "./conformance/ledger/cases.ts";
export { type LedgerFactory, ledgerCrashCases } from "./conformance/ledger/crash.ts";
export { providerCases } from "./conformance/provider/cases.ts";
export type {
  ChatFixture,
  EmbeddingFixture,
  FaultFixture,
  ModelsFixture,
  ProviderFixture,
  ProviderMaker,
  ProviderUnderTest,
  QuestionFixture,
  RerankFixture,
  WireExpectation,
} from "./conformance/provider/fixture.ts";
export { recordsCases } from "./conformance/records/cases.ts";
export { vectorIndexCases } from "./conformance/vectors.ts";
export { countingIds, type ScriptedEngine, type ScriptedOptions, scriptedEngine, scriptedWorld } from "./engine.ts";
export {
  type FaultTestCaller,
  type FaultTestCallOptions,
  type HttpCallerOptions,
  httpCaller,
} from "./faults/run/caller.ts";
export { hedgingOptions, type JudgedOptions, policyOf, quickOptions, quickPolicy } from "./faults/run/policy.ts";
export { describeReports, type NamedReports } from "./faults/run/report.ts";
export {
  type FaultTestOptions,
  type FaultTestReport,
  type FaultTestRow,
  type LeftOut,
  runFaultTest,
} from "./faults/run/run.ts";
export type {
  AnsweringModel,
  AnswerMode,
  CallCount,
  Expectation,
  ExpectedOutcome,
  FaultTestPolicy,
  Need,
  Round,
  Scenario,
} from "./faults/scenarios/scenario.ts";
export { scenarios } from "./faults/scenarios/scenarios.ts";
export type { FaultServerCall } from "./faults/server/call-log.ts";
export type { FaultServerControl } from "./faults/server/control.ts";
export { type FaultServer, type FaultServerOptions, startFaultServer } from "./faults/server/start.ts";
export type { DialectName } from "./faults/wire/wire.ts";
export { scriptedPrices } from "./prices.ts";
export { type ScriptedProviders, type ScriptedRequest, scriptedProviders } from "./script/providers.ts";
export type { Script, ScriptedCall, ScriptedDecision, ScriptStep } from "./script/step.ts";
