import type { Logger } from "pino";
import { catalogue, type ReplaceablePrices, replaceablePrices } from "tollgate/prices/catalogue";
import type { ModelFacts, Prices } from "../../../engine/ports/prices.ts";
import type { AiPriceSync } from "../../../operations/portal/tenancy/ai/prices.ts";
import type { OwnPrices, PriceSource, PriceState } from "../../../portal/tariff/price-source.ts";
import { comparePrices, type RatesByModel } from "./price-changes.ts";
import { isAddress, isRereadable, nameOfSource } from "./price-list.ts";
import { layOver, type OpenedPrices, openPrices, type PriceSettings, reopenPrices } from "./prices.ts";

/** Prices of a configuration that can be read again. */
export interface RenewablePrices {
  readonly prices: ReplaceablePrices;
  /** What the catalogue ignores of them; see `Catalogue.warnings`. */
  readonly warnings: readonly string[];
  /** Takes the prices of the source as they are now; resolves with whether they are others. Throws when they cannot be used: the former stay. */
  renew(): Promise<boolean>;
  /** Reads the prices of other settings, and checks them; the returned function has them count from then on. */
  prepare(settings: PriceSettings): Promise<() => void>;
  /** The same for the portal. */
  readonly source: PriceSource;
  /** Milliseconds between two looks at the source; `undefined` when it cannot change. */
  readonly intervalMs: number | undefined;
}

/** Seconds between two looks at a file, which costs next to nothing, and at an address. */
const defaultSeconds = { file: 30, address: 3_600 };

/** What the prices are made of now. */
interface PriceFollower {
  settings: PriceSettings;
  tag: string | undefined;
  content: OpenedPrices["content"];
  state: PriceState;
  readonly prices: ReplaceablePrices;
  readonly seconds: number | undefined;
  readonly now: () => number;
}

/** Opens the prices of a configuration, to be read again every so many seconds; 0 never. */
export async function openRenewable(
  settings: PriceSettings,
  seconds: number | undefined,
  now: () => number = Date.now,
): Promise<RenewablePrices> {
  const { prices: first, tag, content } = await openPrices(settings);
  const prices = replaceablePrices(first);
  const state = { sources: listSources(settings, seconds), warnings: first.warnings, synced_at: now() };
  const follower: PriceFollower = { settings, tag, content, state, prices, seconds, now };
  const source: PriceSource = {
    state: () => follower.state,
    prepareOwn: (own) => prepareOwn(follower, own),
    get sync() {
      return canRenew(follower.settings.prices) ? () => sync({ prices, renew: () => renew(follower) }, now) : undefined;
    },
  };
  return {
    ...{ prices, source, warnings: first.warnings },
    renew: () => renew(follower),
    prepare: (next) => prepare(follower, next),
    get intervalMs() {
      return intervalOf(follower.settings.prices, seconds);
    },
  };
}

async function renew(follower: PriceFollower): Promise<boolean> {
  const { settings, tag, prices, now } = follower;
  try {
    const next = await reopenPrices(settings, tag);
    const isOther = next !== undefined && next.prices.version !== prices.version;
    const { sources, warnings } = follower.state;
    follower.state = { sources, warnings: next?.prices.warnings ?? warnings, synced_at: now() };
    if (next) use(follower, next, settings.own);
    return isOther;
  } catch (thrown) {
    follower.state = { ...follower.state, failure: { at: now(), message: (thrown as Error).message } }; // seam: files and addresses throw errors
    throw thrown;
  }
}

/** Has look-ups answer from a list that was made over some own prices; it is made again where these have changed meanwhile. */
function use(follower: PriceFollower, { prices, tag, content }: OpenedPrices, own: PriceSettings["own"]): void {
  Object.assign(follower, { tag, content });
  follower.prices.replace(follower.settings.own === own ? prices : rebuild(follower));
}

/** The list of what the follower holds, all of which was checked before. */
function rebuild({ settings: { own, like }, content }: PriceFollower): Prices {
  return catalogue({ overrides: content, own, like });
}

async function prepare(follower: PriceFollower, next: PriceSettings): Promise<() => void> {
  const { own } = follower.settings;
  const opened = await openPrices({ ...next, own });
  return () => {
    const settings = { ...next, own: follower.settings.own };
    const sources = listSources(settings, follower.seconds);
    follower.settings = settings;
    follower.state = { sources, warnings: opened.prices.warnings, synced_at: follower.now() };
    use(follower, opened, own);
  };
}

async function prepareOwn(follower: PriceFollower, own: OwnPrices): Promise<() => void> {
  const { content } = follower;
  const prices = await layOver({ ...follower.settings, own }, content);
  return () => {
    const settings = { ...follower.settings, own };
    const sources = listSources(settings, follower.seconds);
    follower.settings = settings;
    follower.state = { ...follower.state, sources, warnings: prices.warnings };
    follower.prices.replace(follower.content === content ? prices : rebuild(follower));
  };
}

/** Reads the source again; resolves with what changed. */
async function sync(
  { prices, renew }: Pick<RenewablePrices, "prices" | "renew">,
  now: () => number,
): Promise<AiPriceSync> {
  const before = ratesByModel(prices.list(now()));
  const is_changed = await renew();
  const { added, removed, changed } = comparePrices(before, is_changed ? ratesByModel(prices.list(now())) : before);
  const rates = changed.map(({ model, rate, a, b }) => ({
    ...{ model, rate },
    ...(a === undefined ? {} : { before: a }),
    ...(b === undefined ? {} : { after: b }),
  }));
  return { version: prices.version, is_changed, added: [...added], removed: [...removed], changed: rates };
}

/** The rates of models that have some, by `provider/model`. */
function ratesByModel(models: readonly ModelFacts[]): RatesByModel {
  return new Map(models.flatMap(({ provider, model, rates }) => (rates ? [[`${provider}/${model}`, rates]] : [])));
}

/** The built-in list, that of the configuration over it, and the prices that are set in the portal over both. */
function listSources(
  { prices, own = {} }: Pick<PriceSettings, "prices" | "own">,
  seconds: number | undefined,
): PriceState["sources"] {
  const builtIn = { name: "built-in", kind: "built-in", is_rereadable: false } as const;
  const ofPortal = { name: "portal", kind: "portal", is_rereadable: false } as const;
  const configured = prices === undefined ? [] : [listSource(prices, intervalOf(prices, seconds))];
  return [builtIn, ...configured, ...(Object.keys(own).length > 0 ? [ofPortal] : [])];
}

function listSource(
  prices: NonNullable<PriceSettings["prices"]>,
  intervalMs: number | undefined,
): PriceState["sources"][number] {
  if (typeof prices !== "string") return { name: "prices", kind: "configuration", is_rereadable: false };
  const interval = intervalMs === undefined ? {} : { interval: intervalMs / 1_000 };
  const kind = isAddress(prices) ? "address" : "file";
  return { name: nameOfSource(prices), kind, is_rereadable: canRenew(prices), ...interval };
}

function canRenew(prices: PriceSettings["prices"]): prices is string {
  return typeof prices === "string" && isRereadable(prices);
}

function intervalOf(prices: PriceSettings["prices"], seconds: number | undefined): number | undefined {
  if (!canRenew(prices) || seconds === 0) return undefined;
  return (seconds ?? (isAddress(prices) ? defaultSeconds.address : defaultSeconds.file)) * 1_000;
}

/** Looks at the source of the prices again and again, and logs what changes. The returned function stops it. */
export function followPrices(renewable: RenewablePrices, log: Pick<Logger, "info" | "error">): () => void {
  if (renewable.intervalMs === undefined) return () => {};
  const report = createRenewal(renewable, log);
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    await report();
    isBusy = false;
  }, renewable.intervalMs).unref();
  return () => clearInterval(timer);
}

/** One look; the same failure is logged once, until a look succeeds. */
export function createRenewal(
  { renew, prices }: Pick<RenewablePrices, "renew" | "prices">,
  log: Pick<Logger, "info" | "error">,
): () => Promise<void> {
  let lastFailure: string | undefined;
  return async () => {
    try {
      if (await renew()) log.info({ version: prices.version }, "new prices");
      lastFailure = undefined;
    } catch (err) {
      const { message } = err as Error;
      if (message !== lastFailure) log.error({ err, version: prices.version }, "the prices stay as they are");
      lastFailure = message;
    }
  };
}
