import { behaviours, findBehaviour, parseWallModel } from "./behaviours.ts";
import type { WallReport, WallRow } from "./run.ts";
import type { Scenario, Way } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";

/** Reports of the same scenarios by the name of their caller, e.g. `in process` and `over HTTP`. */
export type NamedReports = Readonly<Record<string, WallReport>>;

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
    ...callers.map((caller) => describeResult(rowsOf(scenario, [reports[caller] as WallReport]))),
  ]);
  return [header, header.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(escapeCell).join(" | ")} |`)
    .join("\n");
}

/** The scenarios that were played, in the order of the table; those of others behind them. */
function scenariosOf(reports: NamedReports): readonly Scenario[] {
  const played = new Set(Object.values(reports).flatMap(({ rows }) => rows.map(({ scenario }) => scenario)));
  return [
    ...scenarios.filter((scenario) => played.has(scenario)),
    ...[...played].filter((one) => !scenarios.includes(one)),
  ];
}

function rowsOf(scenario: Scenario, reports: readonly WallReport[]): readonly WallRow[] {
  return reports.flatMap(({ rows }) => rows.filter((row) => row.scenario === scenario));
}

function describeModels({ model, fallback }: Scenario): string {
  const does = findBehaviour(parseWallModel(model).behaviour)?.does ?? "";
  return fallback === undefined ? does : `${does}; its fallback ${behaviours[fallback].does}`;
}

/** Both ways in one sentence where they are the same. */
function describeDemands(rows: readonly WallRow[]): string {
  const demanded = (way: Way) => [...new Set(rows.filter((row) => row.way === way).map(({ expected }) => expected))];
  const [whole, streamed] = [demanded("whole").join(" / "), demanded("streamed").join(" / ")];
  if (whole === streamed) return whole;
  const parts = [whole && `whole: ${whole}`, streamed && `streamed: ${streamed}`];
  return parts.filter(Boolean).join("; ");
}

function describeResult(rows: readonly WallRow[]): string {
  const failed = rows.filter(({ passed }) => !passed);
  if (rows.length === 0) return "not played";
  if (failed.length === 0) return "passed";
  return `failed: ${failed.map(({ dialect, way }) => `${dialect} ${way}`).join(", ")}`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
