import type { Clock } from "../../../engine/ports/clock.ts";
import {
  type AnswerMode,
  type Expectation,
  type FaultTestPolicy,
  missingFor,
  type Scenario,
} from "../scenarios/scenario.ts";
import { scenarios as allScenarios } from "../scenarios/scenarios.ts";
import { controlFaultServer, type FaultServerControl } from "../server/control.ts";
import type { DialectName } from "../wire/wire.ts";
import type { FaultTestCaller } from "./caller.ts";
import { describeExpectation, describeResult } from "./describe.ts";
import { judgeExpectation } from "./judge.ts";
import { playScenario } from "./play.ts";
import { quickPolicy } from "./policy.ts";

/** What a run of the fault server is made of. */
export interface FaultTestOptions {
  /** The gateway under test. Its providers of {@link FaultTestOptions.providers} lead to the fault server. */
  readonly caller: FaultTestCaller;
  /** `http://host:port` of the fault server. */
  readonly faultServerUrl: string;
  /** The caller's name of the provider that speaks each dialect; a dialect without one is not played. */
  readonly providers: Readonly<Partial<Record<DialectName, string>>>;
  /** What the caller is set to; the fault server judges by it. {@link quickPolicy} unless given. */
  readonly policy?: FaultTestPolicy | undefined;
  /** All unless given. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Scenarios under way at a time; 16 unless given. */
  readonly concurrency?: number | undefined;
  /** Milliseconds that anything may be late by, on a busy machine; 500 unless given. */
  readonly slackMs?: number | undefined;
  /** How often a scenario that failed is played again, alone, since a busy machine breaks small limits by itself; 1 unless given. */
  readonly replays?: number | undefined;
  /** Real time, since the fault server's sockets know no other: `systemClock` of the package. */
  readonly clock: Clock;
}

/** One scenario, played one way. */
export interface FaultTestRow {
  readonly scenario: Scenario;
  readonly dialect: DialectName;
  readonly mode: AnswerMode;
  /** The conduct that the specification demands. */
  readonly expected: string;
  readonly observation: string;
  readonly passed: boolean;
  /** What was not as demanded; empty when it passed. */
  readonly problems: readonly string[];
  /** How often it was played; the last time counts. */
  readonly plays: number;
}

/** A scenario that this caller cannot show. */
export interface LeftOut {
  readonly scenario: Scenario;
  readonly dialect: DialectName;
  readonly because: string;
}

/** What a run found, in the order of the scenarios. */
export interface FaultTestReport {
  readonly rows: readonly FaultTestRow[];
  readonly leftOut: readonly LeftOut[];
}

/** One thing to play. */
interface PlannedRun {
  readonly scenario: Scenario;
  readonly dialect: DialectName;
  readonly provider: string;
  readonly mode: AnswerMode;
  readonly expectation: Expectation;
}

/** Plays every scenario against a gateway and judges it by the fault server's own log and by what its caller saw. */
export async function runFaultTest(options: FaultTestOptions): Promise<FaultTestReport> {
  const { policy = quickPolicy, scenarios = allScenarios, concurrency = 16, replays = 1 } = options;
  const control = controlFaultServer(options.faultServerUrl);
  const run = await control.nextRun();
  const all = scenarios.flatMap((scenario) => listParts(scenario, options.providers));
  const parts = all.filter((part) => missingFor(part.scenario, policy, part.dialect) === undefined);
  const context = { options: { ...options, policy }, control };
  const rows = await inParallel(parts, concurrency, (part, n) =>
    playPart(part, { ...context, tag: `${run}-${n}-1` }, 1),
  );
  for (let plays = 2; plays <= replays + 1; plays++) {
    for (const [n, row] of rows.entries()) {
      const part = parts[n];
      if (part && !row.passed) rows[n] = await playPart(part, { ...context, tag: `${run}-${n}-${plays}` }, plays);
    }
  }
  return { rows, leftOut: listLeftOut(all, policy) };
}

function listLeftOut(parts: readonly PlannedRun[], policy: FaultTestPolicy): LeftOut[] {
  const leftOut = new Map<string, LeftOut>();
  for (const { scenario, dialect } of parts) {
    const because = missingFor(scenario, policy, dialect);
    if (because !== undefined) leftOut.set(`${dialect} ${scenario.name}`, { scenario, dialect, because });
  }
  return [...leftOut.values()];
}

function listParts(scenario: Scenario, providers: FaultTestOptions["providers"]): PlannedRun[] {
  return Object.entries(providers).flatMap(([name, provider]) => {
    const dialect = name as DialectName;
    if (scenario.dialects && !scenario.dialects.includes(dialect)) return [];
    return (["whole", "streamed"] as const).flatMap((mode) => {
      const expectation = scenario.expectation[mode];
      return expectation ? [{ scenario, dialect, provider, mode, expectation }] : [];
    });
  });
}

interface RunContext {
  readonly options: FaultTestOptions & { readonly policy: FaultTestPolicy };
  readonly control: FaultServerControl;
  readonly tag: string;
}

async function playPart(part: PlannedRun, { options, control, tag }: RunContext, plays: number): Promise<FaultTestRow> {
  const { caller, policy, clock, slackMs = 500 } = options;
  const { scenario, dialect, mode, expectation, provider } = part;
  const outcome = await playScenario({ scenario, mode, provider, tag }, { caller, control, clock, policy });
  const scenarioResult = { ...outcome, scenario, expectation, policy, slackMs };
  const problems = [...new Set(judgeExpectation(scenarioResult))];
  const expected = describeExpectation(scenario, expectation, policy);
  const observation = describeResult(scenarioResult);
  return { scenario, dialect, mode, expected, observation, passed: problems.length === 0, problems, plays };
}

/** Works through the items, so many at a time; results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, position: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [position, item] of queue) results[position] = await work(item, position);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
