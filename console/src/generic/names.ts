import { hasText, textOf } from "../i18n/texts.ts";

/** What a field is called: the text of that name, else the name in words. */
export function nameOf(field: string): string {
  const key = `label.${field}`;
  if (hasText(key)) return textOf(key);
  const words = field.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
