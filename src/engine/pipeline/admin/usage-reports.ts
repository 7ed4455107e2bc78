import { EntriesQuery, PruneQuery, UsageQuery } from "../../api/usage-question.ts";
import { reportEntry, reportRow, type UsageReportPage, type UsageReportRow } from "../../metering/usage/report.ts";
import type { KeyRecords } from "../../policy/access.ts";
import type { LimitUsage } from "../../policy/limit-usage.ts";
import type { EntriesQuestion, UsageQuestion } from "../../ports/ledger.ts";
import type { Store } from "../../ports/store.ts";
import { parserOf } from "../call/parse.ts";
import { callPort } from "../runtime/port-call.ts";

/** What was used and what it cost. An invalid question is refused with `invalid_request`. */
export interface UsageReports {
  /** Sums by group. Money in US dollars, and in exact nano-dollars under names that end in `_nano`. */
  query(question: UsageQuestion): Promise<readonly UsageReportRow[]>;
  /** Single requests with their line items, newest first, to explain a bill. Money as in `query`. */
  entries(question: EntriesQuestion): Promise<UsageReportPage>;
  /** Forgets entries older than `before` (milliseconds since the epoch) and resolves to how many; the sums stay unless `sums` is true. */
  prune(question: { readonly before: number; readonly sums?: boolean | undefined }): Promise<number>;
  /** The names that deleted keys, projects and customers had, by their ids: what they used stays in the sums. */
  deletedNames(): Promise<ReadonlyMap<string, string>>;
  /**
   * How every limit of a key stands, those of its entries, project and customer among them; or those of a project or a customer. Budgets
   * are in US dollars, and in exact nano-dollars under `_nano`. A limit of each end user stands as it does for `user`, or for calls without
   * one.
   */
  limits(id: string, kind?: "key" | "project" | "customer", user?: string): Promise<readonly LimitUsage[]>;
  /** The ids of the exhausted keys: a limit of the key, its project or its customer is used up, or one of each entry. */
  limited(keys: readonly KeyRecords[]): Promise<ReadonlySet<string>>;
}

// A parsed question has the ledger's own type: its dimensions are the ledger's to know.
const parseQuery = parserOf(UsageQuery);
const parseEntries = parserOf(EntriesQuery);
const parsePrune = parserOf(PruneQuery);

/** Reports of a store's ledger. */
export function ledgerReports({
  ledger,
  reports = ledger,
}: Pick<Store, "ledger" | "reports">): Pick<UsageReports, "query" | "entries" | "prune"> {
  return {
    async query(question) {
      const rows = await callPort("store", () => reports.query(parseQuery(question) as UsageQuestion));
      return rows.map(reportRow);
    },
    async entries(question) {
      const page = await callPort("store", () => reports.entries(parseEntries(question) as EntriesQuestion));
      return { ...page, entries: page.entries.map(reportEntry) };
    },
    prune: (question) => callPort("store", () => ledger.prune(parsePrune(question))),
  };
}
