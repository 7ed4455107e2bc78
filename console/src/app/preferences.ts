import { createStore } from "../api/store.ts";

/** A named state of a screen. */
export interface SavedView {
  readonly name: string;
  /** The query of the address. */
  readonly query: string;
}

/** What somebody chose on this device: nothing secret, nothing about others. */
interface Preferences {
  readonly language?: string;
  readonly theme?: "light" | "dark";
  /** Colours of the tenant's theme, by name, as they were seen last. */
  readonly colors?: Readonly<Record<string, string>>;
  /** Columns that are not shown, by the table that they are of. */
  readonly hiddenColumns?: Readonly<Record<string, readonly string[]>>;
  /** True for tables with low rows. */
  readonly isCompact?: boolean;
  readonly zone?: string;
  readonly region?: string;
  readonly isNavNarrow?: boolean;
  /** False turns single letters off (WCAG 2.1.4). */
  readonly hasShortcuts?: boolean;
  /** Named addresses of the list of requests. */
  readonly views?: readonly SavedView[];
}

const name = "tollgate-preferences";

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(name) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {}; // storage is off, or holds something else
  }
}

/** The preferences of this device. */
export const preferences = createStore<Preferences>(read());

/** Changes some of them and stores them. */
export function prefer(change: Preferences): void {
  const next = { ...preferences.get(), ...change };
  preferences.set(next);
  try {
    window.localStorage.setItem(name, JSON.stringify(next));
  } catch {
    // kept for this page only
  }
}

/** Follows the chosen colours. */
export function applyTheme(): void {
  const { theme } = preferences.get();
  if (theme === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
