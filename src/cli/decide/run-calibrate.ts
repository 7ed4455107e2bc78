import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type {
  CalibrationReport,
  CalibrationRequest,
  CalibrationResult,
} from "../../engine/api/calibrations/calibrations.ts";
import { isGatewayError } from "../../engine/errors.ts";
import { alignColumns, writeMoney } from "../../server/terminal/format.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { type LabelledCases, readLabelledLines } from "./labelled-lines.ts";
import { openOverSharedStore } from "./open.ts";

/** What a fit is to do. */
export interface CalibrateOptions {
  readonly file: string;
  readonly model: string;
  readonly values: Pick<CalibrationRequest, "name"> & {
    readonly kind?: string;
    readonly method?: string;
    readonly labels?: string;
    readonly permutations?: number;
    readonly prior?: boolean;
    readonly json?: boolean;
    readonly store?: string;
    readonly config?: string;
  };
}

/** Fits maps to the labelled cases of a file; exit code 1 where nothing could be fitted for want of answers. */
export async function calibrate({ file, model, values }: CalibrateOptions, terminal: Terminal): Promise<number> {
  const { store: storeOption, config: configFile, json: isJson = false, ...asking } = values;
  const labelled = readLabelledLines(file, await readText(terminal, file));
  const { engine } = await openOverSharedStore(terminal, configFile, storeOption);
  let cost = 0;
  engine.on("settled", (settled) => {
    cost += settled.cost ?? 0;
  });
  try {
    const { questions, cases } = labelled;
    const request = { ...asking, model, questions, cases } as unknown as CalibrationRequest; // the engine checks it
    const result = await engine.calibrations.fit(request, { onProgress: progressOn(terminal) });
    terminal.out(isJson ? `${JSON.stringify(result, null, 2)}\n` : writeResult(result, labelled));
    if (cost > 0) terminal.err(`The model's answers cost ${writeMoney(cost)}.\n`);
    return result.reports.some(({ held_out }) => held_out !== undefined) ? 0 : 1;
  } catch (thrown) {
    throw namingLine(thrown, file, labelled);
  } finally {
    await engine.close({ graceMs: 0 });
  }
}

async function readText({ folder }: Terminal, file: string): Promise<string> {
  try {
    return await readFile(resolve(folder, file), "utf8");
  } catch (thrown) {
    const { code = "" } = thrown as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read (${code}).`, "Name a file with one labelled case a line.");
  }
}

/** One line that is written over at a terminal, and each tenth of the work elsewhere. */
function progressOn({ err, isErrorTty }: Terminal): (read: number, all: number) => void {
  return (read, all) => {
    const isTenth = Math.floor((read * 10) / all) > Math.floor(((read - 1) * 10) / all);
    if (isErrorTty) err(`\r${read} of ${all} cases${read === all ? "\n" : ""}`);
    else if (isTenth) err(`${read} of ${all} cases\n`);
  };
}

/** A fault in a case, with its line. */
function namingLine(thrown: unknown, file: string, { lines }: LabelledCases): unknown {
  if (!isGatewayError(thrown) || thrown.code !== "invalid_request") return thrown;
  const [, at, field] = /^cases\.(\d+)(?:\.(.*))?$/.exec(thrown.param ?? "") ?? [];
  if (at === undefined) return thrown;
  const problem = thrown.message.slice(`\`${thrown.param}\``.length);
  return new UsageError(`${file}, line ${lines[Number(at)]}: \`${field ?? "case"}\`${problem}`, "");
}

function writeResult({ reports, failures, failed }: CalibrationResult, { lines }: LabelledCases): string {
  const heading = ["QUESTION", "WAY", "ANSWERS", "MAP", "LOG LOSS", "BRIER", "ECE"];
  const rows = reports.flatMap(rowsOf);
  const table = rows.length === 0 ? "" : alignColumns([heading, ...rows]);
  const outcomes = reports.map((report) => `${outcomeOf(report)}\n`);
  const unanswered = failures.map(({ case: at, message }) => `  line ${lines[at]}: ${message}\n`);
  const more = failed > failures.length ? `  and ${failed - failures.length} more\n` : "";
  const notice = failed === 0 ? "" : `Cases that the model did not answer: ${failed}\n${unanswered.join("")}${more}`;
  return [table, ...outcomes, notice].join("");
}

function rowsOf({ question, method, items, held_out, calibration }: CalibrationReport): string[][] {
  if (!held_out) return [[question, method, String(items)]];
  const chosen = calibration?.kind ?? "none";
  return (["none", "temperature", "platt"] as const).flatMap((kind, at) => {
    const scores = held_out[kind];
    if (!scores) return [];
    const about = at === 0 ? [question, method, String(items)] : ["", "", ""];
    const { log_loss, brier, ece } = scores;
    return [
      [...about, kind === chosen ? `${kind} *` : kind, ...[log_loss, brier, ece].map((score) => score.toFixed(3))],
    ];
  });
}

function outcomeOf({ question, items, held_out, calibration }: CalibrationReport): string {
  if (calibration) return `Stored ${calibration.name}, version ${calibration.version} (${calibration.id}).`;
  if (held_out) return `${question}: the model's own probabilities are best; nothing was stored.`;
  return `${question}: ${items} labelled ${items === 1 ? "answer is" : "answers are"} too few; ten are the least.`;
}
