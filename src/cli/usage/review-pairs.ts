import { appendFile, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { precisionAt, type ReviewedPair, readLine, readReview } from "../../engine/caching/review.ts";
import { plainText } from "../../server/terminal/plain-text.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";

/** What to review, and how. */
interface ReviewQuery {
  readonly file: string;
  readonly isJson: boolean;
  /** A file of labels, JSON lines of `id` and `same`; `-` is standard input. */
  readonly labels: string | undefined;
}

/** Where ids and the form of files are described. */
const hint = "tollgate help cache review";

const thresholds = [0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99];

/**
 * Shows pairs of questions and stores whether one answer is right for both: as somebody types, or from a file. Then prints the precision at
 * thresholds. Resolves with the exit code.
 */
export async function reviewPairs(query: ReviewQuery, terminal: Terminal): Promise<number> {
  const file = resolve(terminal.folder, query.file);
  const first = await readPairs(file, terminal);
  if (query.labels !== undefined) await importLabels(query.labels, { file, pairs: first, terminal });
  else if (terminal.isInteractive && !query.isJson) await askForLabels(first, file, terminal);
  const pairs = await readPairs(file, terminal);
  const precision = precisionAt(pairs, thresholds);
  if (query.isJson) terminal.out(`${JSON.stringify({ pairs, precision }, null, 2)}\n`);
  else terminal.out(writeReport(pairs, precision));
  return 0;
}

async function readPairs(file: string, terminal: Terminal): Promise<ReviewedPair[]> {
  const text = await readText(file);
  const { pairs, problems } = readReview(text);
  if (problems.length > 0) terminal.err(`tollgate: Lines of ${file} that cannot be read: ${problems.join(", ")}.\n`);
  return pairs;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, hint); // what the file system throws
  }
}

/** The pairs of a file, and where what is said of them goes. */
interface Review {
  readonly file: string;
  readonly pairs: readonly ReviewedPair[];
  readonly terminal: Terminal;
}

/** Stores the labels of a file, all or none: a line that is none, or names an unknown pair, is refused. */
async function importLabels(source: string, { file, pairs, terminal }: Review): Promise<void> {
  const text = source === "-" ? await terminal.readInput() : await readText(resolve(terminal.folder, source));
  const known = new Set(pairs.map(({ id }) => id));
  const lines: string[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line);
    if (read === undefined || !("same" in read))
      throw new UsageError(`Line ${at + 1} of the labels must be {"id": "…", "same": true or false}.`, hint);
    if (!known.has(read.id))
      throw new UsageError(`Line ${at + 1} of the labels names the unknown pair \`${read.id}\`.`, hint);
    lines.push(writeLabel(read.id, read.same));
  }
  await appendFile(file, lines.join(""));
}

/** Asks for each pair without a label, the least similar first; an empty answer leaves one out, `q` or the end of the input stops. */
async function askForLabels(pairs: readonly ReviewedPair[], file: string, terminal: Terminal): Promise<void> {
  const open = pairs.filter(({ isSame }) => isSame === undefined);
  for (const [at, { id, similarity, known, asked }] of open.entries()) {
    terminal.out(`\n${at + 1} of ${open.length}, similarity ${similarity.toFixed(4)}\n`);
    terminal.out(`  answered: ${plainText(known)}\n  asked:    ${plainText(asked)}\n`);
    const answer = await terminal.readLine("Is one answer right for both? [y/n, Enter to leave out, q to stop] ");
    const reply = answer?.trim().toLowerCase()[0];
    if (answer === undefined || reply === "q") return;
    if (reply === "y" || reply === "n") await appendFile(file, writeLabel(id, reply === "y"));
  }
}

function writeLabel(id: string, same: boolean): string {
  return `${JSON.stringify({ id, same })}\n`;
}

function writeReport(pairs: readonly ReviewedPair[], precision: ReturnType<typeof precisionAt>): string {
  const labelled = pairs.filter(({ isSame }) => isSame !== undefined).length;
  const rows = precision.map(({ threshold, labelled: of, right, precision: part }) => {
    const percent = part === undefined ? "-" : `${(part * 100).toFixed(1)} %`;
    return `${threshold.toFixed(2).padEnd(11)}${String(of).padStart(6)}${String(right).padStart(7)}   ${percent.padStart(7)}\n`;
  });
  return `${pairs.length} pairs, ${labelled} labelled\nTHRESHOLD  PAIRS  RIGHT  PRECISION\n${rows.join("")}`;
}
