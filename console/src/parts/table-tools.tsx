import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { prefer, preferences } from "../app/preferences.ts";
import { toCsv } from "../format/csv.ts";
import { text } from "../i18n/texts.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy.tsx";
import { download } from "./download.ts";
import { CheckField } from "./field.tsx";
import { Icon } from "./icon.tsx";

/** A column as its table names it. */
interface NamedColumn {
  readonly id: string;
  readonly name: string;
}

/** Names the columns of a table for the preferences: the same on every visit, in every language. */
export function tableNameOf(columns: readonly NamedColumn[]): string {
  return columns.map(({ id }) => id).join(" ");
}

interface TableToolsProps {
  readonly label: string;
  readonly columns: readonly NamedColumn[];
  /** Ids of the columns that are not shown. */
  readonly hidden: readonly string[];
  readonly rows: readonly unknown[];
  /** The element that holds the table. */
  readonly frame: RefObject<HTMLElement | null>;
}

/** What can be done with any table: which columns it shows, how dense it is, and its rows as CSV or JSON. */
export function TableTools({ label, columns, hidden, rows, frame }: TableToolsProps) {
  const name = tableNameOf(columns);
  const toggle = (id: string, isShown: boolean) => {
    const next = isShown ? hidden.filter((one) => one !== id) : [...hidden, id];
    prefer({ hiddenColumns: { ...preferences.get().hiddenColumns, [name]: next } });
  };
  const menu = useClosedFromOutside();
  const [isOpen, setOpen] = useState(false);
  return (
    <details ref={menu} class="table-tools" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={`${label}: ${text("table.tools")}`} title={text("table.tools")}>
        <Icon name="sliders" size={14} />
      </summary>
      {isOpen && (
        <div class="table-menu">
          <fieldset>
            <legend>{text("table.columns")}</legend>
            {columns.map(({ id, name: shown }, position) => (
              <CheckField
                key={id}
                label={shown || id}
                isChecked={position === 0 || !hidden.includes(id)}
                isLocked={position === 0}
                onChange={(isShown) => toggle(id, isShown)}
              />
            ))}
          </fieldset>
          <CheckField
            label={text("table.compact")}
            isChecked={preferences.get().isCompact === true}
            onChange={(isCompact) => prefer({ isCompact })}
          />
          <div class="row">
            <Button isSmall onPress={() => download(`${fileNameOf(label)}.csv`, csvOf(frame.current))}>
              {text("table.csv")}
            </Button>
            <Button isSmall icon="copy" onPress={() => void copyText(JSON.stringify(rows, null, 2))}>
              {text("table.json")}
            </Button>
          </div>
        </div>
      )}
    </details>
  );
}

/** A menu that a press anywhere else, or Escape, closes. */
function useClosedFromOutside(): RefObject<HTMLDetailsElement | null> {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const isInside = event.target instanceof Node && ref.current?.contains(event.target);
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      if (ref.current?.open && (isEscape || (event.type === "pointerdown" && !isInside))) ref.current.open = false;
    };
    for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, close);
    return () => {
      for (const type of ["pointerdown", "keydown"]) document.removeEventListener(type, close);
    };
  }, []);
  return ref;
}

function fileNameOf(label: string): string {
  return label.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-") || "table";
}

/** The table as it is shown, as CSV: a cell that has its exact value in a tooltip (an instant, an amount) by that. */
function csvOf(frame: HTMLElement | null): string {
  const cellsOf = (row: Element) => [...row.querySelectorAll("th, td")].map(textOfCell);
  const [head = [], ...rows] = [...(frame?.querySelectorAll("thead tr, tbody tr") ?? [])].map(cellsOf);
  const columns = head.map((name, at) => ({ name, value: (row: readonly string[]) => row[at] }));
  return toCsv(columns, rows);
}

function textOfCell(cell: Element): string {
  const exact = cell.querySelector<HTMLElement>("time[title], span[title]");
  const isWhole = exact !== null && exact.textContent === cell.textContent;
  return (isWhole ? exact.title : (cell.textContent ?? "")).trim();
}
