/** Colours that stand on each other, as the gateway judges them: the first is text, or carries white text. */
export const contrastPairs = [
  ["text", "background"],
  ["text", "surface"],
  ["primary", "background"],
  ["danger", "background"],
] as const;

/** The least contrast of text on its background (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

/** Returns red, green and blue, 0 to 255, of `#rgb` or `#rrggbb`; undefined for any other text. */
function channelsOf(color: string): readonly number[] | undefined {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)) return undefined;
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, "$&$&") : color.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours, 1 to 21; undefined where one is no `#rgb` or `#rrggbb`. */
export function contrastBetween(one: string, other: string): number | undefined {
  const [front, back] = [channelsOf(one), channelsOf(other)];
  if (!front || !back) return undefined;
  const [darker = 0, lighter = 0] = [luminanceOf(front), luminanceOf(back)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the colour as `#rrggbb`, which pickers need; undefined for what is none. */
export function longColor(color: string): string | undefined {
  const channels = channelsOf(color);
  return channels && `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** A theme as it is being edited. */
export interface ThemeDraft {
  readonly name: string;
  readonly colors: Readonly<Record<string, string>>;
  readonly logo: string | undefined;
}

/** Returns what of a draft differs from the theme that counts; removed pictures are null. */
export function changesOf(draft: ThemeDraft, counting: ThemeDraft) {
  const colors = Object.fromEntries(
    Object.entries(draft.colors).filter(([name, value]) => counting.colors[name] !== value),
  );
  return {
    ...(draft.name === counting.name ? {} : { name: draft.name }),
    ...(Object.keys(colors).length === 0 ? {} : { colors }),
    ...(draft.logo === counting.logo ? {} : { logo: draft.logo ?? null }),
  };
}
