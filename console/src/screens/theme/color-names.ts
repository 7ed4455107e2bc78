import { text } from "../../i18n/texts.ts";

const named = ["primary", "background", "surface", "text", "danger"] as const;

/** What a colour is called; one of a tenant's own has its own name. */
export function nameOfColor(color: string): string {
  const known = named.find((one) => one === color);
  return known === undefined ? color : text(`theme.color_${known}`);
}
