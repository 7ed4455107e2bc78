import { mkdir } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import type { UsageReportEntry } from "../../engine/metering/usage/report.ts";
import { needPackages } from "../../server/needed-packages.ts";
import type { StoreFunctions } from "../../server/store/with-store.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { dayMs, nameOfDay, readDays } from "./days.ts";
import type { ExportFormat } from "./formats.ts";
import { dayWriters } from "./write-day.ts";

/** What is exported, and where to. */
interface LedgerExport {
  readonly usage: Pick<StoreFunctions["usage"], "entries">;
  readonly folder: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** One of {@link exportFormats}, which the command line checks. */
  readonly format?: string | undefined;
}

/** Entries of a page of the ledger. */
const pageSize = 1_000;

/** Writes the files of each day, oldest first, and prints a line for each; resolves with the exit code. */
export async function exportDays(
  { usage, folder, format = "parquet", ...range }: LedgerExport,
  terminal: Pick<Terminal, "folder" | "now" | "out">,
): Promise<number> {
  const days = readDays(range, terminal.now());
  if (format === "parquet") needPackages("--format parquet", "hyparquet-writer");
  const target = isAbsolute(folder) ? folder : join(terminal.folder, folder);
  await mkdir(target, { recursive: true });
  for (const day of days) {
    let requests = 0;
    const read = () =>
      readDay(usage, day, (count) => {
        requests = count;
      });
    const files = await dayWriters[format as ExportFormat](read, (table) => join(target, `${table}-${nameOfDay(day)}`));
    const names = files.map((file) => basename(file)).join(", ");
    terminal.out(`${nameOfDay(day)}  ${requests.toLocaleString("en")} requests  ${names}\n`);
  }
  return 0;
}

/** The entries of a day, newest first, and how many they were. */
async function* readDay(
  usage: LedgerExport["usage"],
  day: number,
  onEnd: (count: number) => void,
): AsyncGenerator<UsageReportEntry> {
  let count = 0;
  let after: string | undefined;
  do {
    const page = await usage.entries({
      from: day,
      to: day + dayMs,
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    count += page.entries.length;
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
  onEnd(count);
}
