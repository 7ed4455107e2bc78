import type { Rates } from "../api/rates.ts";
import type { Cost, Usage } from "../api/usage.ts";
import type { LineItem } from "../ports/prices.ts";
import { hasTier } from "./fees/service-tiers.ts";
import { type CostPart, type CountedUnit, countedUnits, lines, type Unit } from "./lines.ts";
import { add, multiply, type NanoDollars, toDollars } from "./money.ts";
import {
  imagePrice,
  leastSearches,
  type MadeImages,
  type Price,
  type PriceSheet,
  priceSheet,
  type SearchContextSize,
  searchPrice,
} from "./rates.ts";

/** What is billed beside the tokens of an answer; images and seconds only where they are not among the tokens already. */
export type UnitCounts = { readonly [U in CountedUnit]?: number | undefined };

/** What an answer consumed. */
export interface BilledUsage {
  /**
   * Token counts as on the wire. Beside the fields of the specification these are read where a provider gives them:
   * `prompt_tokens_details.cached_write_tokens_1h` (the part of `cached_write_tokens` that is kept for an hour),
   * `cached_read_image_tokens`, `cached_read_audio_tokens` and `cached_write_audio_tokens` (parts of the cached ones),
   * `video_tokens` of either side, and `search_context_size`, `search_units` (rerank) and
   * `billed_units` (`input_tokens` and `output_tokens` that are charged for in place of those that were counted) of the usage itself.
   */
  readonly usage: Usage;
  /** The service tier that the provider says it served: `priority`, `flex`, `batch`; anything else is standard. */
  readonly serviceTier?: string | null | undefined;
  /** How much context web search was asked to bring; without a count of searches in the usage it stands for one search. */
  readonly searchContextSize?: SearchContextSize | undefined;
  readonly counts?: UnitCounts | undefined;
  /** Images made by the model, where they are not among its tokens. */
  readonly images?: MadeImages | undefined;
}

/** What an answer cost and why. */
export interface Bill {
  /** Only what was consumed; amounts sum to `total` exactly. */
  readonly items: readonly LineItem[];
  readonly total: NanoDollars;
  /** `usage.cost`: the same in dollars, by purpose. */
  readonly cost: Cost;
  /**
   * Units that were consumed and have no price; their cost is not in the total. `service_tier`: the tier that was served has no rate,
   * and the total is that of the standard one.
   */
  readonly unpriced: readonly UnpricedPart[];
}

/** What of a bill has no price. */
export type UnpricedPart = Unit | "service_tier";

/** A bill while it is being written. */
interface BillDraft {
  readonly priceSheet: PriceSheet;
  readonly items: LineItem[];
  readonly parts: { [Part in CostPart]?: NanoDollars };
  readonly unpriced: UnpricedPart[];
  total: NanoDollars;
}

/**
 * The bill of an answer, or `undefined` when its price is unknown: tokens were consumed that the model has no rate for, and it does
 * not charge by something else instead; or the amounts are beyond nine million dollars, where no provider's price can be meant.
 * Reasoning, citation, audio, image and cached tokens are parts of their parents and never counted twice: the quantities of token
 * items sum to the prompt and the completion tokens. Each amount is rounded once.
 */
export function priceUsage(consumption: BilledUsage, rates: Rates): Bill | undefined {
  try {
    return writeBill(consumption, rates);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function writeBill(consumption: BilledUsage, rates: Rates): Bill | undefined {
  const { usage } = consumption;
  const { input_tokens: input, output_tokens: output } = usage.billed_units ?? {};
  const prompt = toCount(input ?? usage.prompt_tokens);
  const completion = toCount(output ?? usage.completion_tokens);
  const sheet = priceSheet(rates, prompt, consumption.serviceTier);
  const draft: BillDraft = { priceSheet: sheet, items: [], parts: {}, unpriced: [], total: 0 };
  if (!hasTier(rates, consumption.serviceTier)) draft.unpriced.push("service_tier");
  billCounts(draft, consumption, rates);
  const isByToken = sheet.input_tokens !== undefined || sheet.output_tokens !== undefined;
  if (isByToken) {
    if ((prompt > 0 && !sheet.input_tokens) || (completion > 0 && !sheet.output_tokens)) return undefined;
    billPrompt(draft, prompt, usage.prompt_tokens_details ?? {});
    billCompletion(draft, completion, usage.completion_tokens_details ?? {});
  } else if (draft.items.length === 0) return undefined;
  return { items: draft.items, total: draft.total, cost: toCost(draft), unpriced: draft.unpriced };
}

/** Bills what is not counted in tokens: searches, requests, queries, images, seconds, … */
function billCounts(draft: BillDraft, { usage, counts, images, searchContextSize }: BilledUsage, rates: Rates): void {
  const { priceSheet: sheet } = draft;
  if (sheet.requests) bill(draft, "requests", { quantity: counts?.requests ?? 1, price: sheet.requests });
  const queries = counts?.queries ?? usage.search_units;
  if (sheet.queries) bill(draft, "queries", { quantity: toCount(queries), price: sheet.queries });
  if (counts)
    for (const unit of countedUnits) bill(draft, unit, { quantity: toCount(counts[unit]), price: sheet[unit] });
  if (images) bill(draft, "output_images", { quantity: toCount(images.count), price: imagePrice(rates, images) });
  const size = usage.search_context_size ?? searchContextSize;
  const counted = counts?.search_queries ?? usage.completion_tokens_details?.num_search_queries ?? (size ? 1 : 0);
  const searches = Math.max(counted, leastSearches(rates));
  if (searches > 0) {
    const price = searchPrice(rates, isSearchContextSize(size) ? size : "medium");
    bill(draft, "search_queries", { quantity: toCount(searches), price });
  }
}

/** Vendors write `null` for details that they do not give. */
type UsageDetails<Name extends "prompt_tokens_details" | "completion_tokens_details"> = NonNullable<Usage[Name]>;

function billPrompt(draft: BillDraft, prompt: number, details: UsageDetails<"prompt_tokens_details">): void {
  const read = take(details.cached_read_tokens, prompt);
  const write = take(details.cached_write_tokens, prompt - read);
  const fresh = prompt - read - write;
  const readImages = take(details.cached_read_image_tokens, read);
  const readAudio = take(details.cached_read_audio_tokens, read - readImages);
  const writeForHour = take(details.cached_write_tokens_1h, write);
  const writeAudio = take(details.cached_write_audio_tokens, write - writeForHour);
  const audio = take(toCount(details.audio_tokens) - readAudio - writeAudio, fresh);
  const images = take(toCount(details.image_tokens) - readImages, fresh - audio);
  const video = take(details.video_tokens, fresh - audio - images);
  billTokens(draft, "input_tokens", fresh - audio - images - video);
  billTokens(draft, "input_audio_tokens", audio);
  billTokens(draft, "input_image_tokens", images);
  billTokens(draft, "input_video_tokens", video);
  billTokens(draft, "cached_read_tokens", read - readImages - readAudio);
  billTokens(draft, "cached_read_audio_tokens", readAudio);
  billTokens(draft, "cached_read_image_tokens", readImages);
  billTokens(draft, "cached_write_tokens", write - writeForHour - writeAudio);
  billTokens(draft, "cached_write_tokens_1h", writeForHour);
  billTokens(draft, "cached_write_audio_tokens", writeAudio);
}

function billCompletion(
  draft: BillDraft,
  completion: number,
  details: UsageDetails<"completion_tokens_details">,
): void {
  const reasoning = take(details.reasoning_tokens, completion);
  const citation = take(details.citation_tokens, completion - reasoning);
  const audio = take(details.audio_tokens, completion - reasoning - citation);
  const images = take(details.image_tokens, completion - reasoning - citation - audio);
  const video = take(details.video_tokens, completion - reasoning - citation - audio - images);
  billTokens(draft, "output_tokens", completion - reasoning - citation - audio - images - video);
  billTokens(draft, "reasoning_tokens", reasoning);
  billTokens(draft, "citation_tokens", citation);
  billTokens(draft, "output_audio_tokens", audio);
  billTokens(draft, "output_image_tokens", images);
  billTokens(draft, "output_video_tokens", video);
}

function billTokens(draft: BillDraft, unit: Unit, quantity: number): void {
  if (quantity > 0) bill(draft, unit, { quantity, price: draft.priceSheet[unit] });
}

function bill(draft: BillDraft, unit: Unit, { quantity, price }: { quantity: number; price: Price | undefined }): void {
  if (quantity === 0) return;
  if (!price) {
    draft.unpriced.push(unit);
    return;
  }
  const amount = multiply(quantity, price.rate);
  draft.items.push({ unit, quantity, rate: price.rate, amount, basis: price.basis });
  draft.total = add(draft.total, amount);
  const { part } = lines[unit];
  draft.parts[part] = (draft.parts[part] ?? 0) + amount;
}

/** The cost object of a bill: its parts in dollars. */
export function toCost({ parts, total }: Pick<BillDraft, "parts" | "total">): Cost {
  const cost: Cost = { total_cost: toDollars(total) };
  for (const part of Object.keys(parts) as CostPart[]) cost[part] = toDollars(parts[part] ?? 0);
  return cost;
}

/** As much of `limit` as `wanted` says. */
function take(requested: unknown, limit: number): number {
  return Math.min(toCount(requested), limit);
}

/** A count as billed: a begun unit counts whole, what is not a positive number is none. */
function toCount(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.ceil(value) : 0;
}

function isSearchContextSize(size: unknown): size is SearchContextSize {
  return size === "low" || size === "medium" || size === "high";
}
