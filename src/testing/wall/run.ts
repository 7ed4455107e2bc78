import { systemClock } from "../../index.ts";
import type { Clock } from "../../ports.ts";
import type { WallCaller } from "./caller.ts";
import { controlWall, type WallControl } from "./control.ts";
import { describeConduct, describePlayed } from "./describe.ts";
import { judgeConduct } from "./judge.ts";
import { playScenario } from "./play.ts";
import { type Conduct, missingFor, quickPolicy, type Scenario, type WallPolicy, type Way } from "./scenario.ts";
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
  readonly clock?: Clock | undefined;
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
  const { policy = quickPolicy, scenarios = allScenarios, concurrency = 16 } = options;
  const control = controlWall(options.wallUrl);
  const run = await control.nextRun();
  const leftOut: LeftOut[] = [];
  const parts = scenarios.flatMap((scenario) =>
    listParts(scenario, options.providers).filter(({ dialect }) => {
      const because = missingFor(scenario.needs, policy, dialect);
      const isKnown = leftOut.some((one) => one.scenario === scenario && one.dialect === dialect);
      if (because !== undefined && !isKnown) leftOut.push({ scenario, dialect, because });
      return because === undefined;
    }),
  );
  const play = (part: Part, n: number) =>
    playPart(part, { options: { ...options, policy }, control, tag: `${run}-${n}` });
  return { rows: await inParallel(parts, concurrency, play), leftOut };
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

async function playPart(part: Part, { options, control, tag }: Stage): Promise<WallRow> {
  const { caller, policy, clock = systemClock, slackMs = 500 } = options;
  const { scenario, dialect, way, conduct, provider } = part;
  const outcome = await playScenario({ scenario, way, provider, tag }, { caller, control, clock, policy });
  const played = { ...outcome, scenario, conduct, policy, slackMs };
  const problems = [...new Set(judgeConduct(played))];
  const expected = describeConduct(scenario, conduct, policy);
  return { scenario, dialect, way, expected, seen: describePlayed(played), passed: problems.length === 0, problems };
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
