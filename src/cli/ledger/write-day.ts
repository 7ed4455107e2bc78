import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { UsageReportEntry } from "../../engine/metering/usage/report.ts";
import { attemptColumns, attemptRows, type ExportColumn, requestColumns } from "./columns.ts";
import type { ExportFormat } from "./formats.ts";

/** The entries of a day, which may be read several times. */
export type ReadEntries = () => AsyncIterable<UsageReportEntry>;

/** Writes the files of a day, and names them. A file is there whole, or not at all. */
export const dayWriters: Readonly<
  Record<ExportFormat, (read: ReadEntries, pathOf: (table: string) => string) => Promise<readonly string[]>>
> = {
  async parquet(read, pathOf) {
    const [requests, attempts] = [pathOf("requests"), pathOf("attempts")];
    await whole(`${requests}.parquet`, (path) => writeParquet(path, requestColumns, read()));
    await whole(`${attempts}.parquet`, (path) => writeParquet(path, attemptColumns, flatten(read())));
    return [`${requests}.parquet`, `${attempts}.parquet`];
  },
  async jsonl(read, pathOf) {
    const path = `${pathOf("requests")}.jsonl`;
    await whole(path, (part) => pipeline(Readable.from(lines(read())), createWriteStream(part)));
    return [path];
  },
};

/** Rows that are encoded together, and in memory at a time. */
const rowGroupSize = 20_000;

async function writeParquet<Row>(
  path: string,
  columns: readonly ExportColumn<Row>[],
  rows: AsyncIterable<Row>,
): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import("hyparquet-writer");
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: recordsOf(columns, rows),
    columns: columns.map(({ name, type }) => ({ name, type, nullable: true })),
    rowGroupSize,
    createdBy: "tollgate",
  });
}

async function* recordsOf<Row>(columns: readonly ExportColumn<Row>[], rows: AsyncIterable<Row>) {
  for await (const row of rows) yield Object.fromEntries(columns.map(({ name, read }) => [name, read(row) ?? null]));
}

async function* flatten(entries: AsyncIterable<UsageReportEntry>) {
  for await (const entry of entries) yield* attemptRows(entry);
}

async function* lines(entries: AsyncIterable<UsageReportEntry>) {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

/** Writes into a file of another name, and gives it its own at the end. */
async function whole(path: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const part = `${path}.part`;
  try {
    await write(part);
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
}
