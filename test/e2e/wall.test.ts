import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngine, createListener, type Engine, type EngineOptions, systemClock } from "../../src/index.ts";
import {
  httpCaller,
  policyOf,
  quickOptions,
  runWall,
  scenarios,
  startWall,
  type Wall,
  type WallReport,
  type WallRow,
} from "../../src/testing/index.ts";
import { providers, wallProviders } from "./wall-callers.ts";
import { culprits } from "./wall-culprits.ts";

let wall: Wall;
beforeAll(async () => {
  wall = await startWall();
});
afterAll(() => wall.close());

const failuresOf = ({ rows }: WallReport) =>
  rows.filter(({ passed }) => !passed).map((row) => `${nameOf(row)}: ${row.problems.join("; ")} (${row.seen})`);
const nameOf = ({ scenario, dialect, way }: WallRow) => `${dialect} ${way}: ${scenario.name}`;

async function withEngine<Result>(options: EngineOptions, work: (engine: Engine) => Promise<Result>) {
  const engine = createEngine(options);
  try {
    return await work(engine);
  } finally {
    await engine.close({ graceMs: 0 });
  }
}

describe("the engine at the wall", () => {
  const two = (): EngineOptions => ({
    ...quickOptions,
    providers: wallProviders(wall.url, { credentials: 2, continues: true }),
  });
  const policy = () => policyOf(two(), ["openai", "anthropic"]);

  it("does what is demanded in every scenario, in process", async () => {
    const options = { ...quickOptions, providers: wallProviders(wall.url) };
    const report = await withEngine(options, (caller) =>
      runWall({ caller, wallUrl: wall.url, providers, clock: systemClock }),
    );
    expect(failuresOf(report)).toEqual([]);
    expect(report.leftOut.every(({ scenario }) => scenario.needs !== undefined)).toBe(true);
    expect(report.rows.length).toBeGreaterThan(200);
  });

  it("does what is demanded over HTTP, with two credentials and models that continue a text", async () => {
    const report = await withEngine(two(), async (engine) => {
      const server = createServer(createListener({ engine }));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const caller = httpCaller({ baseUrl, fetch });
      const report = await runWall({ caller, wallUrl: wall.url, providers, policy: policy(), clock: systemClock });
      server.close();
      server.closeAllConnections();
      return report;
    });
    expect(failuresOf(report)).toEqual([]);
    expect(report.leftOut.every(({ scenario }) => scenario.needs === "single_credential")).toBe(true);
  });
});

describe("the wall finds out a caller that", () => {
  it.each(culprits)("$does", async ({ scenario, options, change = keep, provider = keep, problem }) => {
    const made = wallProviders(wall.url).map(provider);
    const report = await withEngine({ ...quickOptions, ...options, providers: made }, (caller) =>
      runWall({
        caller: change(caller),
        wallUrl: wall.url,
        clock: systemClock,
        providers: { openai: providers.openai },
        scenarios: scenarios.filter(({ name }) => name === scenario),
        replays: 0,
      }),
    );
    const failed = report.rows.filter(({ passed }) => !passed);
    expect(failed.flatMap(({ problems }) => problems).join("; ")).toMatch(problem);
  });
});

const keep = <Same>(same: Same): Same => same;
