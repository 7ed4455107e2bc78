import { contrastBetween, longColor } from "../../screens/theme/contrast.ts";

/** Colours of a theme by name, as `GET /theme` answers them. */
export type ThemeColors = Readonly<Record<string, string>>;

/** Returns the style of the colours that differ from the plain ones; what is no colour is left out. */
export function toStyle(colors: ThemeColors, plain: ThemeColors): string {
  const shown = new Map(
    Object.entries({ ...plain, ...colors }).map(([name, color]) => [name, longColor(color) ?? plain[name] ?? ""]),
  );
  const changed = new Set([...shown].filter(([name, color]) => plain[name] !== color).map(([name]) => name));
  if (changed.size === 0) return "";
  const [light, dark] = [lightTokens(shown, changed).join(";"), darkTokens(shown, changed).join(";")];
  return [
    `@media (prefers-color-scheme: light){:root:not([data-theme="dark"]){${light}}}`,
    `:root[data-theme="light"]{${light}}`,
    `@media (prefers-color-scheme: dark){:root:not([data-theme="light"]){${dark}}}`,
    `:root[data-theme="dark"]{${dark}}`,
  ].join("\n");
}

/** Paler text is mixed only from text that can be read well (WCAG 2.2, 1.4.6): what is mixed stays above 4.5. */
const contrastOfPale = 7;

function lightTokens(shown: ReadonlyMap<string, string>, changed: ReadonlySet<string>): string[] {
  const [primary = "", surface = "", text = "", danger = ""] = ["primary", "surface", "text", "danger"].map((name) =>
    shown.get(name),
  );
  const tokens: string[] = [];
  if (changed.has("primary"))
    tokens.push(
      `--primary:${primary}`,
      `--primary-strong:color-mix(in oklab,${primary} 84%,black)`,
      `--primary-soft:color-mix(in oklab,${primary} 8%,${surface})`,
    );
  if (changed.has("danger")) tokens.push(`--bad:${danger}`, `--bad-soft:color-mix(in oklab,${danger} 7%,${surface})`);
  if (changed.has("background")) tokens.push(`--canvas:${shown.get("background")}`);
  if (changed.has("surface") || changed.has("text")) {
    const share = (contrastBetween(text, surface) ?? 0) >= contrastOfPale ? 82 : 100;
    const mixed = (part: number) => `color-mix(in oklab,${text} ${part}%,${surface})`;
    tokens.push(`--surface:${surface}`, `--raised:${surface}`, `--text:${text}`, `--sunken:${mixed(4)}`);
    tokens.push(`--text-soft:${mixed(share)}`, `--text-faint:${mixed(share)}`);
    tokens.push(`--line:${mixed(12)}`, `--line-strong:${mixed(26)}`);
  }
  return tokens;
}

/** In dark colours a theme shows by its hues: their lightness is that of text on dark ground. */
function darkTokens(shown: ReadonlyMap<string, string>, changed: ReadonlySet<string>): string[] {
  const hueOf = (name: string, [lightness, most]: readonly [number, number]) =>
    `oklch(from ${shown.get(name)} ${lightness} min(c,${most}) h)`;
  const tokens: string[] = [];
  if (changed.has("primary"))
    tokens.push(
      `--primary:${hueOf("primary", [0.76, 0.13])}`,
      `--primary-strong:${hueOf("primary", [0.82, 0.11])}`,
      `--primary-soft:${hueOf("primary", [0.3, 0.065])}`,
    );
  if (changed.has("danger"))
    tokens.push(`--bad:${hueOf("danger", [0.77, 0.13])}`, `--bad-soft:${hueOf("danger", [0.29, 0.06])}`);
  return tokens;
}
