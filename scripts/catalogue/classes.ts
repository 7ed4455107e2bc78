import { splitLocation } from "../../adapters/prices/catalogue/locations.ts";

/** A difference from the map before it has a reason. */
export interface Unclassed {
  readonly provider: string;
  readonly name: string;
  readonly rate: string;
  readonly ours: number | undefined;
  readonly map: number | undefined;
  /** What other lines of the map state for the same model and rate. */
  readonly otherLines: readonly number[];
}

/** A class of differences: its reason, and what falls under it. */
interface Class {
  readonly reason: string;
  readonly holds: (difference: Unclassed) => boolean;
}

const isTimes = (ours: number | undefined, map: number | undefined, factor: number) =>
  ours !== undefined && map !== undefined && Math.abs(ours / map / factor - 1) < 0.001;
const isLocated = ({ provider, name }: Unclassed) => splitLocation(provider, name) !== undefined;
const of = (provider: string, name: RegExp, rate: RegExp) => (each: Unclassed) =>
  each.provider === provider && name.test(each.name) && rate.test(each.rate);

/** Why rates of the catalogue are not those of the map; the first that holds. */
const classes: readonly Class[] = [
  {
    reason: "no name: the catalogue has no rate for the unit (messages, lengths of a video)",
    holds: ({ ours, map }) => ours === undefined && map === undefined,
  },
  {
    reason: "in region: AWS bills the bare name 10 % over the global profile; the map lists the global price under it",
    holds: (each) => each.provider === "bedrock" && !isLocated(each) && isTimes(each.ours, each.map, 1.1),
  },
  {
    reason: "two lines: the map states another price for the same name elsewhere, which is the catalogue's",
    holds: ({ ours, otherLines }) => otherLines.some((other) => isTimes(ours, other, 1)),
  },
  {
    reason:
      "plain price: the map writes the price of a data zone (10 % more) under the plain name; the hand-checked list and models.dev do not",
    holds: (each) => each.provider === "azure" && isTimes(each.ours, each.map, 1 / 1.1),
  },
  {
    reason: "rounding: the map rounds to three digits what the location's factor gives exactly",
    holds: (each) => isLocated(each) && Math.abs((each.ours ?? 0) / (each.map ?? 1) - 1) < 0.025,
  },
  {
    reason: "checked: the hand-checked list and models.dev agree against the map",
    holds: of("mistral", /^open-mistral-nemo$/, /./),
  },
  {
    reason: "checked: audio is heard at the hand-checked list's price; the map repeats the text price",
    holds: of("openai", /transcribe/, /audio_token$/),
  },
  {
    reason: "checked: $10 a thousand calls of the search tool; the map still has the fee of the preview tool",
    holds: of("openai", /^gpt-4(?:\.1|o)/, /^search_context/),
  },
];

/** The reason of a difference; `unclassed` until somebody has looked at it. */
export function classify(difference: Unclassed): string {
  return classes.find(({ holds }) => holds(difference))?.reason ?? "unclassed";
}
