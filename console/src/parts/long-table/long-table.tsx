import { useEffect, useRef, useState } from "preact/hooks";
import { moveByKey, TableHead, type TableProps, TableRow } from "../table.tsx";
import { type RowWindow, rowHeight, windowOf } from "./row-window.ts";

interface LongTableProps<Row> extends Omit<TableProps<Row>, "foot"> {
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: () => void;
}

/** A table of any length that scrolls in its own frame: only the rows in view, and some around them, are in the page. */
export function LongTable<Row>({ onEnd, ...table }: LongTableProps<Row>) {
  const { label, columns, rows, keyOf } = table;
  const frame = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<RowWindow>(() => windowOf(0, 1_000, rows.length));
  const look = () => {
    const { scrollTop = 0, clientHeight = 0 } = frame.current ?? {};
    const next = windowOf(scrollTop, clientHeight, rows.length);
    setShown((known) => (known.from === next.from && known.to === next.to ? known : next));
    if (next.to === rows.length) onEnd?.();
  };
  useEffect(look, [rows.length]);
  const to = Math.min(shown.to, rows.length);
  return (
    <section
      ref={frame}
      class="table-frame table-long"
      aria-label={label}
      tabIndex={0}
      onScroll={look}
      onKeyDown={moveByKey}
    >
      <table aria-rowcount={rows.length + 1}>
        <caption class="visually-hidden">{label}</caption>
        <TableHead columns={columns} />
        <tbody>
          <Space rows={shown.from} span={columns.length} />
          {rows.slice(shown.from, to).map((row) => (
            <TableRow key={keyOf(row)} row={row} table={table} />
          ))}
          <Space rows={rows.length - to} span={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

/** The height of rows that are not in the page. */
function Space({ rows, span }: { readonly rows: number; readonly span: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="space">
      <td colSpan={span}>
        <svg width="1" height={rows * rowHeight} />
      </td>
    </tr>
  );
}
