import { preferences } from "../app/preferences.ts";

/** The screens that `g` and a letter open. */
export const goKeys: Readonly<Record<string, string>> = {
  o: "",
  l: "ai/live",
  r: "ai/requests",
  c: "ai/costs",
  b: "ai/budgets",
  k: "ai/keys",
  p: "ai/playground",
  h: "ai/health",
  t: "tenants",
  u: "users",
  a: "audit",
  m: "ai/models",
};

/** What the keyboard does. */
export interface KeyboardActions {
  readonly openPalette: () => void;
  readonly openSheet: () => void;
  readonly go: (path: string) => void;
  readonly create: () => void;
}

const sequenceMs = 1_200;

/** Returns the listener of keys: Ctrl-K always, single letters unless they are turned off or somebody types. */
export function createKeyListener(actions: KeyboardActions): (event: KeyboardEvent) => void {
  let begun = 0;
  return (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      actions.openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
    if (preferences.get().hasShortcuts === false) return;
    const isSecond = event.timeStamp - begun < sequenceMs;
    begun = event.key === "g" ? event.timeStamp : 0;
    const place = isSecond ? goKeys[event.key] : undefined;
    const act = place === undefined ? singles[event.key] : () => actions.go(place);
    if (!act) return;
    event.preventDefault();
    act(actions);
  };
}

const singles: Readonly<Record<string, (actions: KeyboardActions) => void>> = {
  "?": ({ openSheet }) => openSheet(),
  "/": ({ openPalette }) => openPalette(),
  c: ({ create }) => create(),
};

/** True where letters are typed into something, or a dialog is open. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
