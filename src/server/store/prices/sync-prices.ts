import { access, rename, rm, writeFile } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { isGatewayError } from "../../../engine/errors.ts";
import { pauseUntil } from "../../terminal/pause.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { checkList } from "./diff-prices.ts";
import { comparePrices, type PriceChanges, type RatesByModel } from "./price-changes.ts";
import { nameOfSource, type PriceList, readPriceList } from "./price-list.ts";

/** What to fetch, and where to put it. */
interface PriceSync {
  readonly source: string;
  /** The file that gateways read. */
  readonly file: string;
  /** Takes a list also if many of the former models are gone from it. */
  readonly isForced: boolean;
  /** Milliseconds until the next time; once without. */
  readonly intervalMs: number | undefined;
}

/** A list that has lost more than this share of its models is taken for a damaged one. */
const mostRemoved = 0.2;

/** Brings a file of prices up to date, once or until a signal; resolves with the exit code. */
export async function syncPrices(sync: PriceSync, terminal: Terminal): Promise<number> {
  if (extname(sync.file) !== ".json") throw new UsageError("--file must name a .json file.", "");
  if (sync.intervalMs === undefined) {
    await syncOnce(sync, terminal);
    return 0;
  }
  const stopping = new AbortController();
  const forget = terminal.onSignal(() => {
    forget();
    stopping.abort();
  });
  const { signal } = stopping;
  while (!signal.aborted) {
    await syncOnce(sync, terminal).catch((error) => {
      if (!isGatewayError(error)) throw error;
      terminal.err(`tollgate: ${error.message} The file stays as it is.\n`);
    });
    if (!signal.aborted) await pauseUntil(sync.intervalMs, signal);
  }
  return 0;
}

async function syncOnce({ source, file, isForced }: PriceSync, terminal: Terminal): Promise<void> {
  const { folder, now, err, out } = terminal;
  const { content } = (await readPriceList(source, { folder })) as PriceList; // without a tag there is always one
  const { rates, warnings, version } = await checkList(source, content, now());
  for (const warning of warnings) err(`tollgate: ${warning}\n`);
  const former = await readFormer(file, terminal);
  const changes = former && comparePrices(former, rates);
  if (changes && !isForced) refuseDamaged(source, former, changes);
  await replaceFile(isAbsolute(file) ? file : join(folder, file), `${JSON.stringify(content, null, 1)}\n`);
  out(`${file}: ${rates.size} models from ${nameOfSource(source)}; ${describe(changes)}. Prices: ${version}\n`);
}

/** The rates of the file as it is; `undefined` when it is not there. */
async function readFormer(file: string, { folder, now }: Terminal): Promise<RatesByModel | undefined> {
  const isThere = await access(isAbsolute(file) ? file : join(folder, file)).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const { content } = (await readPriceList(file, { folder })) as PriceList;
  return (await checkList(file, content, now())).rates;
}

function refuseDamaged(source: string, former: RatesByModel, { removed }: PriceChanges): void {
  if (removed.length <= mostRemoved * former.size) return;
  throw new UsageError(
    `${nameOfSource(source)} lacks ${removed.length} of the ${former.size} models that the file has, such as ${removed[0]}: it may be damaged.`,
    "The file stays as it is; --force takes the list all the same.",
  );
}

/** A reader sees the former content or the new one, never a part. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function describe(changes: PriceChanges | undefined): string {
  if (!changes) return "the file is new";
  const { added, removed, changed } = changes;
  const models = new Set(changed.map(({ model }) => model)).size;
  return `${added.length} new, ${removed.length} gone, ${models} at other prices`;
}
