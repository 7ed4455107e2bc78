import { GatewayError } from "../../engine/errors.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Theme } from "../../operations/portal/console/themes.ts";
import type { Areas } from "../../operations/portal/table.ts";

/** What is wanted of a theme: a value for each property, or null to remove the own one. */
export type ThemeChange = InputOf<Areas["themes"]["set"]>;

/** The least contrast of text on its background (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

/** Colours that stand on each other: the first is text, or carries white text. */
const pairs = [
  ["text", "background"],
  ["text", "surface"],
  ["primary", "background"],
  ["danger", "background"],
] as const;

/** The most bytes of a picture. */
const mostBytes = 65_536;
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const picturePrefix = "data:image/png;base64,";

/** Returns the properties that a change sets, without `theme.`; null where it removes one. Throws `invalid_request` naming the field. */
export function propertiesOf({ name, colors = {}, logo, favicon }: ThemeChange): [string, string | null][] {
  for (const [field, value] of Object.entries({ logo, favicon })) if (value) checkPicture(field, value);
  const named = { name, logo, favicon };
  const plain = Object.entries(named).filter((entry): entry is [string, string | null] => entry[1] !== undefined);
  return [
    ...plain,
    ...Object.entries(colors).map(([color, value]): [string, string | null] => [`color.${color}`, value]),
  ];
}

function checkPicture(field: string, value: string): void {
  const bytes = Buffer.from(value.slice(picturePrefix.length), "base64");
  if (!bytes.subarray(0, pngStart.length).equals(pngStart)) throw unfit(field, "is not a PNG");
  if (bytes.length > mostBytes) throw unfit(field, `has ${bytes.length} bytes, of ${mostBytes} at most`);
}

/** Throws `invalid_request` for a theme in which a text could not be read well. */
export function checkContrast({ colors }: Pick<Theme, "colors">): void {
  for (const [front, back] of pairs) {
    const [one, other] = [readColor(colors[front] ?? ""), readColor(colors[back] ?? "")];
    if (!one || !other) continue; // set as a property, in a form that only browsers read
    const contrast = contrastOf(one, other);
    if (contrast >= leastContrast) continue;
    const shown = Math.floor(contrast * 100) / 100;
    throw unfit(`colors.${front}`, `has a contrast of ${shown} with \`${back}\`, of ${leastContrast} at least`);
  }
}

function unfit(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}

/** A colour: red, green and blue, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Returns the colour that a text of the form `#rgb` or `#rrggbb` names; undefined for any other text. */
export function readColor(text: string): Rgb | undefined {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text) ?? [];
  const digits = long ?? short?.replaceAll(/./g, "$&$&");
  if (digits === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return [red, green, blue];
}

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
