import type { RequestType } from "../api/common.ts";
import type { ErrorCode } from "../errors.ts";
import type { MaybePromise } from "../runtime/maybe-promise.ts";
import type { CounterValue } from "./counters.ts";
import type { LineItem } from "./prices.ts";

/** One target that was asked, and its bill. Times in milliseconds (`at` since the epoch), money in whole nano-dollars. */
export interface LedgerAttempt {
  /** When its budget was reserved: the instant given to `Counters.reserve`. */
  readonly at: number;
  readonly provider: string;
  /** `provider/model`. */
  readonly model: string;
  /** Name of the provider's credential that was used; never its value. */
  readonly credential?: string | undefined;
  readonly status: number;
  readonly reason: ErrorCode | "ok";
  readonly latency: number;
  readonly time_to_first_token?: number | undefined;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_read_tokens: number;
  readonly cached_write_tokens: number;
  readonly reasoning_tokens: number;
  /** The sum of `items`. */
  readonly cost: number;
  readonly items: readonly LineItem[];
  /** `Prices.version`; absent when no price was looked up. */
  readonly price_version?: string | undefined;
  /** The provider counted nothing; tokens were counted by us, or the cost is what was reserved. */
  readonly is_estimated: boolean;
  /** No price is known, for all of it or for a part. */
  readonly is_unpriced: boolean;
}

/** The route of a request: what the attempts do not show of it. Bounded in size by whoever writes it. */
export interface LedgerRoute {
  /** The routing rule that matched. */
  readonly rule?: string | undefined;
  /** Targets (`provider/model`) in the order of the plan, those included that were not needed. */
  readonly targets: readonly string[];
  /** Who was not asked, and why: those left out by the plan, then those passed over at their turn. */
  readonly skipped: readonly LedgerSkipped[];
  /** How many targets and skipped entries were left out here. */
  readonly omitted?: number | undefined;
}

/** An entry of a request, or a target of its plan, that was not asked. */
export interface LedgerSkipped {
  readonly entry: string;
  readonly reason: ErrorCode;
  readonly message: string;
}

/** Attempts that an entry can have; nobody else is asked for a request that has as many. */
export const mostAttempts = 255;

/** Arguments and result of a tool call, for a key that wants them. Each is JSON text of at most {@link longestToolContent} characters. */
export interface LedgerToolContent {
  /** As the server was sent them. */
  readonly arguments: string;
  /** As the caller got it; absent where the call failed or was refused. */
  readonly result?: string | undefined;
  /** A text is longer, and was cut there. */
  readonly is_truncated: boolean;
}

/** Characters of arguments, and of a result, that the ledger has. */
export const longestToolContent = 16_384;

/**
 * One request, refused ones included, with all its attempts. Holds no prompt, no answer and no credential; `tool_content` is there for keys
 * that want it.
 */
export interface LedgerEntry {
  /** The event id. */
  readonly id: string;
  /** When it came in. */
  readonly at: number;
  readonly request_type: RequestType;
  /** The model as the caller asked for it. */
  readonly model_requested: string;
  readonly key_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly customer_id?: string | undefined;
  /** The caller's own end user. */
  readonly user?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly status: number;
  /** `lost`: its process died while the call was under way, and what it spent beyond `attempts` is not known. */
  readonly reason: ErrorCode | "ok" | "lost";
  readonly latency: number;
  readonly time_to_first_token?: number | undefined;
  /** How the cache answered, when it did. */
  readonly cache?: "direct" | "semantic" | undefined;
  /** What the cache saved, in nano-dollars. */
  readonly saved: number;
  /** Tokens of the cached answer, as they were counted when it was generated: what a hit of the answer cache did not ask for again. */
  readonly saved_prompt_tokens: number;
  readonly saved_completion_tokens: number;
  /** Absent where the only target that was planned was asked, without a rule. */
  readonly route?: LedgerRoute | undefined;
  readonly tool_content?: LedgerToolContent | undefined;
  /** In the order in which they ended; the last one served when the request succeeded. At most {@link mostAttempts}. */
  readonly attempts: readonly LedgerAttempt[];
}

/** What usage can be grouped and filtered by, next to days, months and tags. */
export const requestDimensions = [
  "key_id",
  "project_id",
  "customer_id",
  "provider",
  "model",
  "request_type",
  "user",
  "status",
  "reason",
  "cache",
] as const;

/** Every dimension but tags. `hour`, `day` and `month` are of the UTC calendar: `2026-11-20T13`, `2026-11-20`, `2026-11`. */
export const namedDimensions = ["hour", "day", "month", ...requestDimensions] as const;

/** What usage can be grouped and filtered by: a name of the list, or a tag of the requests. */
export type Dimension = (typeof namedDimensions)[number] | `metadata.${string}`;

/** A value of a dimension; `null` where entries have none. */
export type DimensionValue = string | number | null;

/** For each dimension the values that are wanted, one or several. */
export type UsageFilters = { readonly [D in Dimension]?: DimensionValue | readonly DimensionValue[] };

/** What to sum over: entries whose `at` is in [from, to), in milliseconds since the epoch. */
export interface UsageQuestion {
  readonly from: number;
  readonly to: number;
  /** None: one row with everything. */
  readonly group_by?: readonly Dimension[] | undefined;
  readonly filters?: UsageFilters | undefined;
}

/** Sums over requests and their attempts. Money in nano-dollars; exact up to 2⁵³ (nine million dollars). */
export interface UsageSums {
  /**
   * Requests; under `provider` and `model` they count for the target that was asked last. Where nobody was asked they count
   * under the `model` that the caller asked for, without a provider; with neither for an unknown caller or model (status 401 or 404), or a
   * name of more than 256 characters.
   */
  readonly requests: number;
  /** Requests whose status is 400 or more. */
  readonly failures: number;
  readonly cache_hits: number;
  readonly attempts: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_read_tokens: number;
  readonly cached_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost: number;
  readonly saved: number;
  /** Attempts without a known price, and with tokens counted by us. */
  readonly unpriced: number;
  readonly estimated: number;
  /** Summed milliseconds of requests; divide by `requests`. */
  readonly latency: number;
  /** Tokens that hits of the answer cache saved; tokens that a provider read from its own cache are `cached_read_tokens`. */
  readonly saved_prompt_tokens: number;
  readonly saved_completion_tokens: number;
}

/** One group and its sums. */
export interface UsageRow extends UsageSums {
  /** The value of every dimension of `group_by`. */
  readonly group: { readonly [D in Dimension]?: DimensionValue };
}

/** Which entries to read, newest first. */
export interface EntriesQuestion {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly filters?: UsageFilters | undefined;
  /** Only the entry of this event. A span makes it quick to find. */
  readonly id?: string | undefined;
  /** 1 to 1,000. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly after?: string | undefined;
}

/** Entries in the order of their end, newest first. */
export interface EntriesPage {
  readonly entries: readonly LedgerEntry[];
  readonly next?: string | undefined;
}

/** What must be known again after a restart. */
export interface Recovered {
  /** What counters held when it was last written, in windows that were open at `now` or at the oldest instant of `entries`. */
  readonly counterValues: readonly CounterValue[];
  /** What was appended after that, in the order of their end. */
  readonly entries: readonly LedgerEntry[];
}

/** Entries that are not in the ledger: `waiting` to be written, and `lost`, given up since the start of this process. */
export interface LedgerBacklog {
  readonly waiting: number;
  readonly lost: number;
  /** So many wait that soon one would be given up: no call is begun that would have an entry. */
  readonly isFull?: boolean | undefined;
  /** Those of `waiting` that are in a file, and so survive the death of this process. */
  readonly onDisk?: number | undefined;
}

/** The bill. Rows are added and never changed. */
export interface Ledger {
  /**
   * Adds entries. Resolves once they are safe from the death of this process; an answer is handed over only then, or after ten seconds.
   * `standings` are what {@link Counters.settle} gave for the same requests, in the same turn of the event loop.
   */
  append(entries: readonly LedgerEntry[], counterValues?: readonly CounterValue[]): Promise<void>;
  /** Sums by group, in the order of `group_by`; no row without requests or attempts. */
  query(question: UsageQuestion): Promise<readonly UsageRow[]>;
  /** Entries as they were appended, for explaining a bill. An unreadable `after` is refused with `invalid_request`. */
  entries(question: EntriesQuestion): Promise<EntriesPage>;
  /**
   * When the newest request of each key came in, refused ones included, in milliseconds since the epoch; nothing for a key without entries.
   * Of requests at the same time it is the one that ended last, or another that ended at about the same time.
   */
  lastUsed(keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Forgets entries older than `before`; resolves to how many, or nearly where it is above a million. Sums by day stay without `sums`. */
  prune(question: { readonly before: number; readonly sums?: boolean | undefined }): Promise<number>;
  /**
   * Takes the role of the ledger's only writer, and gives what counters must be restored from. Called before the first call, and again
   * where that, or what came of it, failed. With `isCounting` false, the engine's counters outlive it and are shared with others: a
   * ledger that several processes may write to then lets them, and refuses only one that counts alone.
   * What the counters hold after the restoration comes back through `append([], standings)`, lest the charges of `entries` be
   * forgotten when what counters hold is written the next time.
   */
  recover(now: number, isCounting?: boolean): MaybePromise<Recovered>;
  /**
   * Draws a line: what was appended so far is not among the entries of a later `recover` or `inspect`. Called when limits changed, so
   * that what came before is not charged to limits that are new. Nothing to do for who does not write.
   */
  checkpoint(): void;
  /** What `recover` would give, without taking the role of the writer: how limits stand, seen from beside the process that writes. */
  inspect(now: number): MaybePromise<Recovered>;
  /** What waits, and what was given up; absent where an entry is safe, or refused, at once. */
  backlog?(): LedgerBacklog;
}
