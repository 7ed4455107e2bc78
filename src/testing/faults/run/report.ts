import { behaviours, findBehaviour, parseFaultModel } from "../behaviours/behaviours.ts";
import type { AnswerMode, Scenario } from "../scenarios/scenario.ts";
import { scenarios } from "../scenarios/scenarios.ts";
import type { FaultTestReport, FaultTestRow } from "./run.ts";

/** Reports of the same scenarios by the name of their caller, e.g. `in process` and `over HTTP`. */
export type NamedReports = Readonly<Record<string, FaultTestReport>>;

/**
 * The scenarios as a Markdown table: what the provider does, what is demanded, and whether each caller did it. The same results give the
 * same text: no times, no counts that vary.
 */
export function describeReports(reports: NamedReports): string {
  const callers = Object.keys(reports);
  const header = ["Scenario", "The provider …", "Section", "Demanded", ...callers];
  const rows = scenariosOf(reports).map((scenario) => [
    scenario.name,
    describeModels(scenario),
    scenario.section,
    describeDemands(rowsOf(scenario, Object.values(reports))),
    ...callers.map((caller) => describeResult(rowsOf(scenario, [reports[caller] as FaultTestReport]))),
  ]);
  return [header, header.map(() => "---"), ...rows]
    .map((columns) => `| ${columns.map(escapeCell).join(" | ")} |`)
    .join("\n");
}

/** The scenarios that were played, in the order of the table; those of others behind them. */
function scenariosOf(reports: NamedReports): readonly Scenario[] {
  const scenarioResult = new Set(Object.values(reports).flatMap(({ rows }) => rows.map(({ scenario }) => scenario)));
  return [
    ...scenarios.filter((scenario) => scenarioResult.has(scenario)),
    ...[...scenarioResult].filter((one) => !scenarios.includes(one)),
  ];
}

function rowsOf(scenario: Scenario, reports: readonly FaultTestReport[]): readonly FaultTestRow[] {
  return reports.flatMap(({ rows }) => rows.filter((row) => row.scenario === scenario));
}

function describeModels({ model, fallback }: Scenario): string {
  const does = findBehaviour(parseFaultModel(model).behaviour)?.does ?? "";
  return fallback === undefined ? does : `${does}; its fallback ${behaviours[fallback].does}`;
}

/** Both ways in one sentence where they are the same. */
function describeDemands(rows: readonly FaultTestRow[]): string {
  const demanded = (mode: AnswerMode) => [
    ...new Set(rows.filter((row) => row.mode === mode).map(({ expected }) => expected)),
  ];
  const [whole, streamed] = [demanded("whole").join(" / "), demanded("streamed").join(" / ")];
  if (whole === streamed) return whole;
  const parts = [whole && `whole: ${whole}`, streamed && `streamed: ${streamed}`];
  return parts.filter(Boolean).join("; ");
}

function describeResult(rows: readonly FaultTestRow[]): string {
  const failed = rows.filter(({ passed }) => !passed);
  if (rows.length === 0) return "not played";
  if (failed.length === 0) return "passed";
  return `failed: ${failed.map(({ dialect, mode }) => `${dialect} ${mode}`).join(", ")}`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
