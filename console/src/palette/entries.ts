import { hasRow, rowOf } from "../api/client.ts";
import { isPermitted, signOut } from "../api/session.ts";
import { isReachable, navGroups } from "../app/nav.ts";
import { applyTheme, prefer, preferences } from "../app/preferences.ts";
import { go } from "../app/router.ts";
import { text, textOf } from "../i18n/texts.ts";
import type { IconName } from "../parts/icon.tsx";

/** Something that the palette can do. */
export interface PaletteEntry {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly icon: IconName;
  readonly run: () => void;
}

/** A place that the gateway lists next to the console's own. */
export interface ListedPlace {
  readonly path: string;
  readonly label: string;
}

/** The screens that the caller may open, and what can be done from anywhere. */
export function listEntries(listed: readonly ListedPlace[], openSheet: () => void): readonly PaletteEntry[] {
  const own = navGroups.flatMap(([group, places]) =>
    places
      .filter(isReachable)
      .map(({ path, name, icon }) => place({ path, name: text(name), hint: text(group), icon })),
  );
  const others = listed.map(({ path, label }) =>
    place({ path, name: textOf(label), hint: text("palette.place"), icon: "square" }),
  );
  return [...own, ...others, ...listActions(openSheet)];
}

function place(entry: { path: string; name: string; hint: string; icon: IconName }): PaletteEntry {
  return { ...entry, id: `place ${entry.path}`, run: () => go(entry.path) };
}

function listActions(openSheet: () => void): readonly PaletteEntry[] {
  const hint = text("palette.action");
  const isDark = preferences.get().theme === "dark";
  const mayCreate = hasRow("ai.createKey") && isPermitted(rowOf("ai.createKey")[2]);
  const create: PaletteEntry = {
    ...{ id: "create key", name: text("keys.create"), hint, icon: "plus" },
    run: () => go("ai/keys", { create: "1" }),
  };
  return [
    ...(mayCreate ? [create] : []),
    {
      ...{ id: "theme", name: text("console.theme"), hint, icon: isDark ? "sun" : "moon" },
      run: () => {
        prefer({ theme: isDark ? "light" : "dark" });
        applyTheme();
      },
    },
    { id: "shortcuts", name: text("palette.shortcuts"), hint, icon: "list", run: openSheet },
    { id: "sign out", name: text("action.sign_out"), hint, icon: "exit", run: () => void signOut() },
  ];
}
