import type { Clock } from "../../ports.ts";
import type { WallCaller } from "./caller.ts";
import { controlWall, type WallControl } from "./control.ts";
import { describeConduct, describePlayed } from "./describe.ts";
import { judgeConduct } from "./judge.ts";
import { playScenario } from "./play.ts";
import { quickPolicy } from "./policy.ts";
import { type Conduct, missingFor, type Scenario, type WallPolicy, type Way } from "./scenario.ts";
import { scenarios as allScenarios } from "./scenarios.ts";
import type { DialectName } from "./wire.ts";

/** What a run of the wall is made of. */
export interface WallRunOptions {
  /** The gateway under test. Its providers of {@link WallRunOptions.providers} lead to the wall. */
  readonly caller: WallCaller;
  /** `http://host:port` of the wall. */
  readonly wallUrl: string;
  /** The caller's name of the provider that speaks each dialect; a dialect without one is not played. */
  readonly providers: Readonly<Partial<Record<DialectName, string>>>;
  /** What the caller is set to; the wall judges by it. {@link quickPolicy} unless given. */
  readonly policy?: WallPolicy | undefined;
  /** All unless given. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Scenarios under way at a time; 16 unless given. */
  readonly concurrency?: number | undefined;
  /** Milliseconds that anything may be late by, on a busy machine; 500 unless given. */
  readonly slackMs?: number | undefined;
  /** How often a scenario that failed is played again, alone, since a busy machine breaks small limits by itself; 1 unless given. */
  readonly replays?: number | undefined;
  /** Real time, since the wall's sockets know no other: `systemClock` of the package. */
  readonly clock: Clock;
}

/** One scenario, played one way. */
export interface WallRow {
  readonly scenario: Scenario;
  readonly dialect: DialectName;
  readonly way: Way;
  /** The conduct that the specification demands. */
  readonly expected: string;
  readonly seen: string;
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
export interface WallReport {
  readonly rows: readonly WallRow[];
  readonly leftOut: readonly LeftOut[];
}

/** One thing to play. */
interface Part {
  readonly scenario: Scenario;
  readonly dialect: DialectName;
  readonly provider: string;
  readonly way: Way;
  readonly conduct: Conduct;
}

/** Plays every scenario against a gateway and judges it by the wall's own log and by what its caller saw. */
export async function runWall(options: WallRunOptions): Promise<WallReport> {
  const { policy = quickPolicy, scenarios = allScenarios, concurrency = 16, replays = 1 } = options;
  const control = controlWall(options.wallUrl);
  const run = await control.nextRun();
  const all = scenarios.flatMap((scenario) => listParts(scenario, options.providers));
  const parts = all.filter((part) => missingFor(part.scenario, policy, part.dialect) === undefined);
  const stage = { options: { ...options, policy }, control };
  const rows = await inParallel(parts, concurrency, (part, n) => playPart(part, { ...stage, tag: `${run}-${n}-1` }, 1));
  for (let plays = 2; plays <= replays + 1; plays++) {
    for (const [n, row] of rows.entries()) {
      const part = parts[n];
      if (part && !row.passed) rows[n] = await playPart(part, { ...stage, tag: `${run}-${n}-${plays}` }, plays);
    }
  }
  return { rows, leftOut: listLeftOut(all, policy) };
}

function listLeftOut(parts: readonly Part[], policy: WallPolicy): LeftOut[] {
  const leftOut = new Map<string, LeftOut>();
  for (const { scenario, dialect } of parts) {
    const because = missingFor(scenario, policy, dialect);
    if (because !== undefined) leftOut.set(`${dialect} ${scenario.name}`, { scenario, dialect, because });
  }
  return [...leftOut.values()];
}

function listParts(scenario: Scenario, providers: WallRunOptions["providers"]): Part[] {
  return Object.entries(providers).flatMap(([name, provider]) => {
    const dialect = name as DialectName;
    if (scenario.dialects && !scenario.dialects.includes(dialect)) return [];
    return (["whole", "streamed"] as const).flatMap((way) => {
      const conduct = scenario.conduct[way];
      return conduct ? [{ scenario, dialect, provider, way, conduct }] : [];
    });
  });
}

interface Stage {
  readonly options: WallRunOptions & { readonly policy: WallPolicy };
  readonly control: WallControl;
  readonly tag: string;
}

async function playPart(part: Part, { options, control, tag }: Stage, plays: number): Promise<WallRow> {
  const { caller, policy, clock, slackMs = 500 } = options;
  const { scenario, dialect, way, conduct, provider } = part;
  const outcome = await playScenario({ scenario, way, provider, tag }, { caller, control, clock, policy });
  const played = { ...outcome, scenario, conduct, policy, slackMs };
  const problems = [...new Set(judgeConduct(played))];
  const expected = describeConduct(scenario, conduct, policy);
  const seen = describePlayed(played);
  return { scenario, dialect, way, expected, seen, passed: problems.length === 0, problems, plays };
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
