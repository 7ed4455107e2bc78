import type { Rates } from "../api/rates.ts";
import { automaticTiers, hasTier, serviceTiers } from "./fees/service-tiers.ts";
import type { Unit } from "./lines.ts";
import { add, multiply, type NanoDollars, type PicoDollars } from "./money.ts";
import { leastSearches, type PriceSheet, priceSheet, searchPrice, thresholdsOf } from "./rates.ts";
import type { Bounds, Consumable } from "./usage-bound.ts";

/** Line items of one bill at most: each may be rounded up by half a nano-dollar, which the bound has to cover. */
const roundings = 16;

/** The most that a call can cost, in nano-dollars. */
export interface CostBounds {
  /** For a hard budget; `undefined` where nothing bounds the cost: a fee, a tier or a token without a rate, searches without end. */
  readonly hard: NanoDollars | undefined;
  /** For a soft budget: as far as the price is known. */
  readonly soft: NanoDollars;
}

/**
 * The most that a call can cost, or `undefined` when the model has no price. Every part is taken at the dearest rate that may come to
 * it: of any threshold that the prompt may reach, of the service tier that the request asks for or the standard one, of cache writes
 * and reasoning. Where the request leaves the tier to the vendor (`auto`), `hard` takes the dearest. A bill of what was consumed is
 * never over `hard` if that was within the bounds, and the tier was one of these.
 */
export function boundCost(consumable: Consumable, rates: Rates, serviceTier?: string | null): CostBounds | undefined {
  const soft = boundFor(consumable, "soft", { rates, serviceTier });
  if (soft === undefined) return undefined;
  return { hard: boundFor(consumable, "hard", { rates, serviceTier }), soft };
}

interface PricingContext {
  readonly rates: Rates;
  readonly serviceTier: string | null | undefined;
}

function boundFor(
  consumable: Consumable,
  enforcement: keyof Bounds,
  { rates, serviceTier }: PricingContext,
): NanoDollars | undefined {
  try {
    return sumParts(consumable, enforcement, { rates, serviceTier });
  } catch (error) {
    // More than can be counted is more than any budget holds.
    if (error instanceof RangeError) return Number.MAX_SAFE_INTEGER;
    throw error;
  }
}

function sumParts(
  consumable: Consumable,
  enforcement: keyof Bounds,
  { rates, serviceTier }: PricingContext,
): NanoDollars | undefined {
  const { audio, images, queries, requests, isCachedForHour, isSpoken } = consumable;
  const searches = Math.max(consumable.searches[enforcement], leastSearches(rates));
  if (enforcement === "hard" && !hasTier(rates, serviceTier)) return undefined;
  const prompt = consumable.prompt[enforcement];
  const completion = consumable.completion[enforcement];
  const choice = enforcement === "hard" && serviceTier === "auto" ? anyTier : choiceOf(serviceTier);
  const dearest = dearestFor(rates, prompt, choice);
  const input = isCachedForHour ? dearest.inputForHour : dearest.input;
  const output = isSpoken ? dearest.spokenOutput : dearest.output;
  const isByToken = input !== undefined || output !== undefined;
  if (isByToken && ((prompt > 0 && input === undefined) || (completion > 0 && output === undefined))) return undefined;
  const search = searches > 0 ? searchPrice(rates, "high")?.rate : undefined;
  const isBounded = searches === 0 || (search !== undefined && (search === 0 || searches !== Number.POSITIVE_INFINITY));
  if (enforcement === "hard" && !isBounded) return undefined;
  const isByQuery = queries > 0 && dearest.query !== undefined; // a chat with a model that ranks has no price
  if (!isByToken && !isByQuery && dearest.request === undefined && search === undefined) return undefined;
  if (dearest.isFree && !search) return 0;
  let total = add(roundings, multiply(prompt, input ?? 0));
  total = add(total, multiply(completion, output ?? 0));
  // What sound and images cost over the dearest text.
  if (audio > 0) total = add(total, multiply(audio, Math.max(0, (dearest.audio ?? 0) - (input ?? 0))));
  if (images > 0) total = add(total, multiply(images, Math.max(0, (dearest.image ?? 0) - (input ?? 0))));
  return add(
    total,
    multiply(requests, dearest.request ?? 0) +
      multiply(queries, dearest.query ?? 0) +
      (search ? multiply(searches, search) : 0),
  );
}

/** The dearest rate of each kind that a prompt of some length may meet. */
interface DearestRates {
  readonly input: PicoDollars | undefined;
  readonly inputForHour: PicoDollars | undefined;
  readonly audio: PicoDollars | undefined;
  readonly image: PicoDollars | undefined;
  readonly output: PicoDollars | undefined;
  readonly spokenOutput: PicoDollars | undefined;
  readonly request: PicoDollars | undefined;
  readonly query: PicoDollars | undefined;
  /** Nothing of it costs anything, so that nothing can be rounded up either. */
  readonly isFree: boolean;
}

/** The service tiers that a call may be served as, beside the standard one. */
interface TierChoice {
  /** By which its rates are found again. */
  readonly name: string;
  readonly tiers: readonly string[];
}

const anyTier: TierChoice = { name: "any tier", tiers: automaticTiers };
const standardTier: TierChoice = { name: "standard", tiers: [] };
const oneTier: ReadonlyMap<unknown, TierChoice> = new Map(
  serviceTiers.map((tier) => [tier, { name: tier, tiers: [tier] }]),
);

/** The tier that was asked for; one without rates of its own is the standard one. */
function choiceOf(serviceTier: string | null | undefined): TierChoice {
  return oneTier.get(serviceTier) ?? standardTier;
}

// As long as the rates live, by threshold and choice of service tiers.
const known = new WeakMap<Rates, Map<number, Map<string, DearestRates>>>();

function dearestFor(rates: Rates, promptTokens: number, { name, tiers }: TierChoice): DearestRates {
  const threshold = thresholdsOf(rates).find((each) => promptTokens > each) ?? 0;
  const found = known.get(rates)?.get(threshold)?.get(name);
  if (found) return found;
  const dearest = findDearest(rates, threshold, tiers);
  const byThreshold = known.get(rates) ?? new Map<number, Map<string, DearestRates>>();
  const byChoice = byThreshold.get(threshold) ?? new Map<string, DearestRates>();
  known.set(rates, byThreshold.set(threshold, byChoice.set(name, dearest)));
  return dearest;
}

const promptUnits: readonly Unit[] = ["input_tokens", "cached_read_tokens", "cached_write_tokens"];
const completionUnits: readonly Unit[] = [
  "output_tokens",
  "reasoning_tokens",
  "citation_tokens",
  "output_image_tokens",
  "output_video_tokens",
];

/** Of all thresholds up to one, as one of the service tiers and as the standard one. */
function findDearest(rates: Rates, threshold: number, services: readonly string[]): DearestRates {
  const reached = thresholdsOf(rates).filter((each) => each <= threshold);
  const priced = reached.flatMap((each) =>
    [undefined, ...services].map((service) => priceSheet(rates, each + 1, service)),
  );
  const of = (units: readonly Unit[]): PicoDollars | undefined => {
    const stated = priced.flatMap((each: PriceSheet) => units.flatMap((unit) => each[unit]?.rate ?? []));
    return stated.length === 0 ? undefined : Math.max(...stated);
  };
  const saysText = priced.every(({ output_tokens: price }) => price !== undefined); // not so of models that only make images
  const dearest = {
    input: of(promptUnits),
    inputForHour: of([...promptUnits, "cached_write_tokens_1h"]),
    audio: of(["input_audio_tokens", "cached_read_audio_tokens", "cached_write_audio_tokens"]),
    image: of(["input_image_tokens", "input_video_tokens", "cached_read_image_tokens"]),
    output: saysText ? of(completionUnits) : undefined,
    spokenOutput: saysText ? of([...completionUnits, "output_audio_tokens"]) : undefined,
    request: of(["requests"]),
    query: of(["queries"]),
  };
  return { ...dearest, isFree: Object.values(dearest).every((rate) => !rate) };
}
