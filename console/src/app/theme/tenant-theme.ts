import { theme as plainTheme } from "virtual:theme";
import { useEffect } from "preact/hooks";
import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import { prefer, preferences } from "../preferences.ts";
import type { ThemeColors } from "./style.ts";

/** The theme that the tenant sees, while it is being read undefined. Its colours are those of every screen. */
export function useTenantTheme() {
  const { value } = useQuery({
    key: ["themes.get"],
    read: (signal) => api.themes.get({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: isPermitted("theme-get"),
  });
  useEffect(() => {
    if (value === undefined) return;
    prefer({ colors: value.colors });
    void showColors(value.colors);
  }, [value]);
  return value;
}

const sheet = new CSSStyleSheet();

/** Shows the colours that this device saw last, until the tenant's are read. */
export async function showRememberedColors(): Promise<void> {
  document.adoptedStyleSheets.push(sheet);
  const { colors } = preferences.get();
  if (colors !== undefined) await showColors(colors);
}

async function showColors(colors: ThemeColors): Promise<void> {
  if (Object.entries(colors).every(([name, color]) => plainTheme.colors[name] === color)) return sheet.replaceSync("");
  try {
    const { toStyle } = await import("./style.ts");
    sheet.replaceSync(toStyle(colors, plainTheme.colors));
  } catch {
    // the gateway is away: the colours stay as they are
  }
}
