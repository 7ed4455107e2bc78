import type { PropertyType } from "../../operations/portal/console/properties.ts";
import { defaultLanguage, languages } from "../locales/languages.ts";
import { plainTheme } from "./plain-theme.ts";

const picture = (property: string): PropertyType => ({ property, type: "picture" });

/** The properties that the gateway reads. Any other is stored and shown, and means what its tenant makes of it. */
export const propertyCatalogue: readonly PropertyType[] = [
  { property: "language", type: "choice", default: defaultLanguage, allowed: Object.keys(languages) },
  { property: "theme.name", type: "text", default: plainTheme.name },
  picture("theme.logo"),
  picture("theme.favicon"),
  ...Object.entries(plainTheme.colors).map(
    ([name, value]): PropertyType => ({ property: `theme.color.${name}`, type: "color", default: value }),
  ),
];
