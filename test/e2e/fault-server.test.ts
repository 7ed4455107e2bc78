import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultProviderNames, faultProviders, runReliability, writeReliability } from "../../scripts/reliability.ts";
import { createEngine, systemClock } from "../../src/index.ts";
import {
  type FaultServer,
  type NamedReports,
  policyOf,
  quickOptions,
  runFaultTest,
  scenarios,
  startFaultServer,
} from "../../src/testing/index.ts";
import { culprits } from "./fault-culprits.ts";

describe("the engine at the fault server", () => {
  let reports: NamedReports;
  beforeAll(async () => {
    reports = await runReliability();
  });

  it.each(["in process", "over HTTP"])("does what is demanded in every scenario, %s", (way) => {
    const failed = reports[way]?.rows.filter(({ passed }) => !passed) ?? [];
    expect(failed.map((row) => `${row.dialect} ${row.mode}: ${row.scenario.name}: ${row.problems.join("; ")}`)).toEqual(
      [],
    );
  });
  it.each(["in process", "over HTTP"])("plays every scenario, %s", (way) => {
    const played = new Set(reports[way]?.rows.map(({ scenario }) => scenario));
    expect(scenarios.filter((scenario) => !played.has(scenario))).toEqual([]);
    expect(reports[way]?.leftOut).toEqual([]);
  });
  it("finds what docs/reliability.md says (node scripts/reliability.ts writes it anew)", () => {
    expect(readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8")).toBe(writeReliability(reports));
  });
});

describe("the fault server finds out a caller that", () => {
  let faultServer: FaultServer;
  beforeAll(async () => {
    faultServer = await startFaultServer();
  });
  afterAll(() => faultServer.close());

  it.each(culprits)(
    "$does",
    async ({ scenario, options, claims = quickOptions, change = keep, provider = keep, problem }) => {
      const providers = faultProviders(faultServer.url).map(provider);
      const engine = createEngine({ ...quickOptions, ...options, providers });
      const report = await runFaultTest({
        caller: change(engine),
        faultServerUrl: faultServer.url,
        clock: systemClock,
        policy: policyOf({ ...claims, providers: [] }),
        providers: { openai: faultProviderNames.openai },
        scenarios: scenarios.filter(({ name }) => name === scenario),
        replays: 0,
      });
      await engine.close({ graceMs: 0 });
      const failed = report.rows.filter(({ passed }) => !passed);
      expect(failed.flatMap(({ problems }) => problems).join("; ")).toMatch(problem);
    },
  );
});

const keep = <Same>(same: Same): Same => same;
