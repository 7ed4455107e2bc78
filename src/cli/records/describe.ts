import type { VirtualKey } from "../../engine/api/governance.ts";
import { writeAccess } from "./access.ts";
import { writeLimits } from "./limits/limits.ts";
import type { RecordNames } from "./names.ts";
import type { AnyRecord } from "./record-access.ts";
import { writeInstant } from "./time.ts";
import { writeTools } from "./tools.ts";

/** The headings of a list of records. */
export const headings = {
  key: ["ID", "NAME", "KEY", "STATE", "MAY ASK", "LIMITS", "BELONGS TO"],
  project: ["ID", "NAME", "STATE", "LIMITS", "BELONGS TO"],
  customer: ["ID", "NAME", "STATE", "LIMITS"],
} as const;

/** A record as a row of the list. */
export function describeRow(record: AnyRecord, now: number, names: RecordNames): string[] {
  const limits = limitsOf(record);
  const state = stateOf(record, now);
  if (isKey(record))
    return [
      record.id,
      record.name,
      `…${record.last4}`,
      state,
      writeAccess(record.provider_configs),
      limits,
      ownerOf(record, names),
    ];
  return [record.id, record.name, state, limits, ownerOf(record, names)];
}

/** A record as lines of a name and a value. */
export function describeFully(record: AnyRecord, now: number, names: RecordNames = new Map()): string[][] {
  const about: [string, string | undefined][] = [
    ["id", record.id],
    ["name", record.name],
    ["description", record.description],
    ...(isKey(record) ? describeKey(record) : []),
    ["state", stateOf(record, now)],
    ["belongs to", ownerOf(record, names) || undefined],
    [
      "tags",
      Object.entries(record.metadata)
        .map(([name, value]) => `${name}=${value}`)
        .join(", ") || undefined,
    ],
    ["made", writeInstant(Date.parse(record.created_at))],
    ["changed", record.updated_at === record.created_at ? undefined : writeInstant(Date.parse(record.updated_at))],
  ];
  return about.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** The limits as a line beneath {@link describeFully}. */
export function describeLimits(record: AnyRecord): string[][] {
  return [["limits", limitsOf(record)]];
}

/** Its own limits, then those of its provider entries: `$5 per 1M, openai: $0.01 per 1d`. */
function limitsOf(record: AnyRecord): string {
  const entries = isKey(record) ? record.provider_configs : [];
  const ofEntries = entries.flatMap((entry) => writeLimits(entry).map((limit) => `${entry.provider}: ${limit}`));
  return [...writeLimits(record), ...ofEntries].join(", ") || "none";
}

function describeKey({
  last4,
  user,
  provider_configs,
  mcp_configs,
  starts_at,
  expires_at,
  timeouts,
}: VirtualKey): [string, string | undefined][] {
  return [
    ["key", `…${last4}`],
    ["user", user],
    ["may ask", writeAccess(provider_configs)],
    ["may call", mcp_configs && writeTools(mcp_configs)],
    ["from", starts_at && writeInstant(Date.parse(starts_at))],
    ["until", expires_at && writeInstant(Date.parse(expires_at))],
    [
      "deadlines",
      timeouts &&
        Object.entries(timeouts)
          .map(([name, ms]) => `${name} ${ms} ms`)
          .join(", "),
    ],
  ];
}

function stateOf(record: AnyRecord, now: number): string {
  if (!record.active) return "disabled";
  if (!isKey(record)) return "active";
  if (record.expires_at !== undefined && now >= Date.parse(record.expires_at)) return "expired";
  return record.starts_at !== undefined && now < Date.parse(record.starts_at) ? "not yet" : "active";
}

/** `project search`, `customer acme`; by its id where the name is not known. */
function ownerOf(record: AnyRecord, names: RecordNames): string {
  const project = "project_id" in record ? record.project_id : undefined;
  if (project !== undefined) return `project ${names.get(project) ?? project}`;
  const customer = "customer_id" in record ? record.customer_id : undefined;
  return customer === undefined ? "" : `customer ${names.get(customer) ?? customer}`;
}

function isKey(record: AnyRecord): record is VirtualKey {
  return "last4" in record;
}
