import { useEffect, useRef, useState } from "preact/hooks";
import { api, hasRow, rowOf } from "../api/client.ts";
import { freshFor, useQuery } from "../api/query.ts";
import { isPermitted } from "../api/session.ts";
import { twins } from "../app/nav.ts";
import { go } from "../app/router.ts";
import { text } from "../i18n/texts.ts";
import { Icon } from "../parts/icon.tsx";
import { type ListedPlace, listEntries, type PaletteEntry } from "./entries.ts";
import { rank } from "./match.ts";

interface PaletteProps {
  readonly listed: readonly ListedPlace[];
  readonly onSheet: () => void;
  readonly onClose: () => void;
}

const mostShown = 12;

/** Goes to a screen, finds a thing by its name, or does something, from the keyboard alone. */
export function Palette({ listed, onSheet, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = useFound(typed);
  const entries = [...rank(typed, listEntries(listed, onSheet)).slice(0, mostShown), ...found].slice(0, 2 * mostShown);
  const active = Math.min(at, entries.length - 1);
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((active + step + entries.length) % Math.max(entries.length, 1));
    else if (event.key === "Enter") run(entries[active]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={text("palette.title")}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={() => {}}
    >
      <SearchInput
        {...{ typed, active: entries[active] && active, onMove: move }}
        onInput={(value) => {
          setTyped(value);
          setAt(0);
        }}
      />
      <EntryList {...{ entries, active }} onRun={run} />
      {entries.length === 0 && <p class="soft palette-none">{text("message.no_match")}</p>}
    </dialog>
  );
}

interface SearchInputProps {
  readonly typed: string;
  readonly active: number | undefined;
  readonly onInput: (value: string) => void;
  readonly onMove: (event: KeyboardEvent) => void;
}

/** The field of the combobox: the dialog gives it the focus, since it is the first that can have it. */
function SearchInput({ typed, active, onInput, onMove }: SearchInputProps) {
  const common = {
    class: "input",
    role: "combobox",
    "aria-label": text("palette.title"),
    "aria-expanded": true,
    "aria-controls": "palette-list",
    "aria-activedescendant": active === undefined ? undefined : `palette-${active}`,
    placeholder: text("palette.hint"),
    value: typed,
  };
  return (
    <input
      {...(common as object)} // seam: Preact types an input by the literal of its role
      autoComplete="off"
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={onMove}
    />
  );
}

interface EntryListProps {
  readonly entries: readonly PaletteEntry[];
  readonly active: number;
  readonly onRun: (entry: PaletteEntry) => void;
}

function EntryList({ entries, active, onRun }: EntryListProps) {
  return (
    <div id="palette-list" role="listbox" aria-label={text("palette.title")}>
      {entries.map((entry, position) => (
        <div
          key={entry.id}
          id={`palette-${position}`}
          role="option"
          tabIndex={-1}
          class="palette-entry"
          aria-selected={position === active}
          onClick={() => onRun(entry)}
          onKeyDown={() => {}}
        >
          <Icon name={entry.icon} />
          <span>{entry.name}</span>
          <span class="row-end faint">{entry.hint}</span>
        </div>
      ))}
    </div>
  );
}

/** Where a record that was found is shown. */
function placeOf({ area, id }: { readonly area: string; readonly id: string }): string {
  const own = twins.get(area);
  return own === undefined ? `d/${area}` : `${own}/${id}`;
}

/** What the gateway finds by that name or id. A request's id is a place itself. */
function useFound(typed: string): readonly PaletteEntry[] {
  const wanted = useSettled(typed.trim());
  const isAllowed = hasRow("context.search") && isPermitted(rowOf("context.search")[2]);
  const found = useQuery({
    key: ["context.search", wanted],
    read: (signal) => api.context.search({ q: wanted, limit: 6 }, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isAllowed && wanted.length > 1,
  });
  if (typed.trim() === "") return [];
  const request = /^evt_\w+$/.test(wanted) ? [toRequest(wanted)] : [];
  const records = (wanted.length > 1 ? (found.value ?? []) : []).map((result): PaletteEntry => {
    const { area, id, name, hint } = result;
    return { id: `${area} ${id}`, name, hint: hint ?? id, icon: "search", run: () => go(placeOf(result)) };
  });
  return [...request, ...records];
}

function toRequest(id: string): PaletteEntry {
  return { id, name: id, hint: text("requests.one"), icon: "list", run: () => go(`ai/requests/${id}`) };
}

/** The value once nobody has typed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 120);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
