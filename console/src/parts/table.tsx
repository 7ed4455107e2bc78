import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { QueryState } from "../api/query.ts";
import { useStore } from "../api/store.ts";
import { preferences } from "../app/preferences.ts";
import { text } from "../i18n/texts.ts";
import { EmptyState, ErrorAlert, Skeleton } from "./states.tsx";
import { TableTools, tableNameOf } from "./table-tools.tsx";

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly isNumber?: boolean;
  readonly show: (row: Row) => ComponentChildren;
}

/** What a table shows. */
export interface TableProps<Row> {
  /** Read out as the table's name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Opens a row. The first cell holds the link or button for the keyboard. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly selected?: string | undefined;
  readonly foot?: ComponentChildren;
}

/** A table with a sticky head. A click anywhere in a row opens it; with the keyboard, `j`, `k` and Enter do. */
export function Table<Row>(table: TableProps<Row>) {
  const { label, columns, rows, keyOf, foot } = table;
  return (
    <section class="table-frame" aria-label={label} tabIndex={0} onKeyDown={moveByKey}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} table={table} />
          ))}
        </tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </section>
  );
}

/** The names of the columns. */
export function TableHead<Row>({ columns }: Pick<TableProps<Row>, "columns">) {
  return (
    <thead>
      <tr>
        {columns.map(({ id, name, isNumber }) => (
          <th key={id} scope="col" class={isNumber ? "cell-number" : ""}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** One row of a table. */
export function TableRow<Row>({ row, table }: { readonly row: Row; readonly table: TableProps<Row> }) {
  const { columns, keyOf, onOpen, selected } = table;
  return (
    <tr
      data-selected={selected !== undefined && selected === keyOf(row)}
      {...(onOpen ? openProps(() => onOpen(row)) : {})}
    >
      {columns.map(({ id, isNumber, show }) => (
        <td key={id} class={isNumber ? "cell-number" : ""}>
          {show(row)}
        </td>
      ))}
    </tr>
  );
}

function openProps(open: () => void) {
  return {
    "data-link": "",
    tabIndex: 0,
    onClick: (event: MouseEvent) => {
      const isOwn = event.target instanceof Element && event.target.closest("a, button, input, select") !== null;
      if (!isOwn) open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && event.target === event.currentTarget) open();
    },
  };
}

/** Moves the focus from row to row by `j` and `k`. */
export function moveByKey(event: KeyboardEvent): void {
  if (event.key !== "j" && event.key !== "k") return;
  if (event.target instanceof HTMLInputElement || !(event.currentTarget instanceof Element)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("tr[data-link]")];
  const at = rows.findIndex((row) => row.matches(":focus"));
  rows[event.key === "j" ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)]?.focus();
}

interface ReadTableProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly query: QueryState<readonly Row[]>;
  /** Shown when there is nothing. */
  readonly empty?: ComponentChildren;
}

/** A table of what is being read: its skeleton, its error, its emptiness, its rows. */
export function ReadTable<Row>({ query, empty, ...table }: ReadTableProps<Row>) {
  const { value, error, isLoading, isFetching, reload } = query;
  if (isLoading) return <Skeleton />;
  return (
    <>
      {isFetching && <div class="progress" aria-hidden="true" />}
      {error && <ErrorAlert error={error} onRetry={reload} />}
      {value && value.length > 0 && <ToolTable rows={value} {...table} />}
      {value?.length === 0 && (empty ?? <EmptyState title={text("message.empty")} />)}
    </>
  );
}

/** A table with its tools: the columns that are shown, the density, and its rows as a file. */
function ToolTable<Row>(table: TableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const { hiddenColumns = {}, isCompact } = useStore(preferences);
  const { label, columns, rows } = table;
  const hidden = hiddenColumns[tableNameOf(columns)] ?? [];
  const shown = columns.filter(({ id }, position) => position === 0 || !hidden.includes(id));
  return (
    <div ref={frame} class={isCompact ? "table-block table-compact" : "table-block"}>
      <Table {...table} columns={shown} />
      <TableTools label={label} columns={columns} hidden={hidden} rows={rows} frame={frame} />
    </div>
  );
}
