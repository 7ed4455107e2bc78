/** One column of a file: its head, and the value of a row. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | boolean | undefined;
}

/** Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ name }) => cell(name)),
    ...rows.map((row) => columns.map(({ value }) => cell(value(row)))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function cell(value: string | number | boolean | undefined): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
