import { fromDollars } from "../../../engine/metering/money.ts";
import type { UsageReportEntry } from "../../../engine/metering/usage/report.ts";
import type { EntriesQuestion } from "../../../engine/ports/ledger.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiRequest, AiRequestDetail } from "../../../operations/portal/tenancy/ai/requests.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { notFoundAs } from "../find.ts";
import { toLedgerFilters } from "./filters.ts";
import { readOwners } from "./owners.ts";
import { showRequest, showRequestDetail } from "./show.ts";
import { visibleRequests } from "./visible.ts";

type RequestListInput = InputOf<Areas["ai"]["requests"]>;

/** Requests one by one, from the ledger. */
export function requestsOf(deps: PortalDeps) {
  return {
    requests: (input, call) => listRequests(deps, input, call),
    request: ({ event_id }, call) => readRequest(deps, event_id, call),
  } satisfies AreaBackend<"ai">;
}

async function listRequests(deps: PortalDeps, input: RequestListInput, call: PortalCall): Promise<AiRequest[]> {
  const { from, to, event_id, min_cost = 0, min_latency = 0, limit = 50, after, ...fields } = input;
  const visible = await visibleRequests(call);
  const filters = toLedgerFilters(fields, visible);
  if (!filters) return [];
  const leastCost = fromDollars(min_cost);
  const isWanted = (entry: UsageReportEntry) =>
    visible.isVisible(entry) && entry.latency >= min_latency && costOf(entry) >= leastCost;
  const span = { ...(from && { from: Date.parse(from) }), ...(to && { to: Date.parse(to) }) };
  const page = await collect(deps, { ...span, filters, id: event_id, limit, after }, isWanted);
  call.showNext?.(page.next);
  const owners = await readOwners(deps, call, page.entries);
  return page.entries.map((entry) => showRequest(entry, owners));
}

/** Entries that are looked at for one page, where not all of them match: the next page goes on from there. */
const mostLookedAt = 10_000;

/** Reads one page of matching entries. The last page may have a `next` with nothing behind it. */
async function collect(
  { engine }: PortalDeps,
  question: EntriesQuestion,
  isWanted: (entry: UsageReportEntry) => boolean,
) {
  const entries: UsageReportEntry[] = [];
  let { after } = question;
  for (let seen = 0; seen < mostLookedAt; ) {
    const page = await engine.usage.entries({ ...question, limit: question.limit - entries.length, after });
    entries.push(...page.entries.filter(isWanted));
    after = page.next;
    seen += page.entries.length;
    if (after === undefined || entries.length === question.limit) break;
  }
  return { entries, next: after };
}

async function readRequest(deps: PortalDeps, event_id: string, call: PortalCall): Promise<AiRequestDetail> {
  const visible = await visibleRequests(call);
  const entry = (await findEntry(deps, event_id, spanOf(event_id))) ?? (await findEntry(deps, event_id, {}));
  if (!entry || !visible.isVisible(entry)) throw notFoundAs("request", { id: event_id, param: "event_id" });
  const owners = await readOwners(deps, call, [entry]);
  return showRequestDetail(entry, owners, { hasCredentials: call.caller.scope.reseller === undefined });
}

async function findEntry({ engine }: PortalDeps, id: string, span: EventSpan): Promise<UsageReportEntry | undefined> {
  return (await engine.usage.entries({ ...span, id, limit: 1 })).entries[0];
}

function costOf({ attempts }: UsageReportEntry): number {
  return attempts.reduce((sum, { cost_nano }) => sum + cost_nano, 0);
}

const minute = 60_000;

/** When the request of an event can have come in, in milliseconds since the epoch. */
type EventSpan = Pick<EntriesQuestion, "from" | "to">;

/** Event ids of the machine begin with their instant; the request begins with its body, later by as long as that takes. */
function spanOf(event_id: string): EventSpan {
  const digits = /^evt_([0-9a-z]{9})[0-9a-f]{12}[0-9a-z]{4}$/.exec(event_id)?.[1];
  if (digits === undefined) return {};
  const at = Number.parseInt(digits, 36);
  return { from: at - minute, to: at + 15 * minute };
}
