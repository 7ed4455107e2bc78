import { useStore } from "../api/store.ts";
import { navGroups } from "../app/nav.ts";
import { prefer, preferences } from "../app/preferences.ts";
import { text } from "../i18n/texts.ts";
import { Dialog } from "../parts/dialog.tsx";
import { CheckField } from "../parts/field.tsx";
import { goKeys } from "./shortcuts.ts";

/** What the keyboard can do; single letters can be turned off here. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const { hasShortcuts = true } = useStore(preferences);
  const places = navGroups.flatMap(([, all]) => all);
  const rows = [
    ["Ctrl K", text("palette.title")],
    ["/", text("palette.title")],
    ["?", text("palette.shortcuts")],
    ["c", text("keys.create")],
    ["j / k / Enter", text("palette.rows")],
    ["Esc", text("action.close")],
    ...Object.entries(goKeys).flatMap(([key, path]) => {
      const found = places.find((one) => one.path === path);
      return found ? [[`g ${key}`, text(found.name)]] : [];
    }),
  ];
  return (
    <Dialog title={text("palette.shortcuts")} onClose={onClose}>
      <div class="stack">
        <dl class="facts">
          {rows.map(([keys, name]) => (
            <>
              <dt key={`${keys}-keys`}>
                <kbd>{keys}</kbd>
              </dt>
              <dd key={keys}>{name}</dd>
            </>
          ))}
        </dl>
        <CheckField
          label={text("palette.enabled")}
          isChecked={hasShortcuts}
          onChange={(isOn) => prefer({ hasShortcuts: isOn })}
        />
      </div>
    </Dialog>
  );
}
