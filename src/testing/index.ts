export { anyChat, anyModelName, anyScript, anyStep, type Cast } from "./arbitraries.ts";
export { type FakeClock, type FakeClockOptions, fakeChance, fakeClock } from "./clock.ts";
export { countingIds, type ScriptedEngine, type ScriptedOptions, scriptedEngine } from "./engine.ts";
export { type Script, type ScriptedProviders, type Step, scriptedProviders } from "./script.ts";
