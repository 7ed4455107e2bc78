import { type ErrorCode, isGatewayError } from "../../errors.ts";
import { toDollars } from "../../metering/money.ts";
import type { LimitUsage } from "../../policy/limit-usage.ts";
import type { Records } from "../../ports/records.ts";
import { warn } from "../../runtime/notify.ts";
import type { PortalDeps } from "../area.ts";
import type { Notice } from "../notify.ts";
import { type ScopedRecord, scopeOf } from "../tenancy/tenant-scope.ts";

/** Milliseconds for which events of a key are collected before its limits are read: a busy key costs one read. */
const gathering = 1_000;

/** The error codes of a request that a limit refuses. */
const limited: Partial<Record<ErrorCode, string>> = {
  budget_exceeded: "a budget has too little left",
  token_limited: "a token window is full",
  request_limited: "a request window is full",
  concurrency_limited: "too many calls are under way",
};

type AlertDeps = Pick<PortalDeps, "engine" | "records" | "clock" | "notify">;

/** Notifies of budgets at 80 % and 100 %, and of keys that were limited, on the events of the engine's requests. */
export function watchLimits({ engine, records, clock, notify }: AlertDeps): void {
  let due = new Map<string, Set<ErrorCode | "ok">>();
  const look = async () => {
    const looked = due;
    due = new Map();
    if (engine.isDraining) return;
    for (const [key, reasons] of looked) {
      const limits = await engine.usage.limits(key);
      const notices = [...limits.map((limit) => toBudgetNotice(records, limit))];
      for (const reason of reasons) notices.push(toLimitNotice(records, { key, reason, now: clock.now() }));
      for (const notice of await Promise.all(notices)) if (notice) await notify(notice);
    }
  };
  engine.on("settled", ({ key_id, reason }) => {
    if (key_id === undefined) return;
    if (due.size === 0) clock.after(gathering, () => void look().catch(warnOfDefect));
    due.set(key_id, (due.get(key_id) ?? new Set()).add(reason));
  });
}

/** Ignores a key that was deleted meanwhile. Any other error is a defect of ours and must not break a request. */
function warnOfDefect(thrown: unknown): void {
  if (isGatewayError(thrown) && thrown.code === "not_found") return;
  warn(thrown);
}

async function toBudgetNotice(records: Records, limit: LimitUsage): Promise<Notice | undefined> {
  const { unit, max, used, level, owner, duration, isCalendar, resetsAt = 0 } = limit;
  if (unit !== "cost" || max === 0 || used * 100 < max * 80) return undefined;
  const found = await ownerOf(records, limit);
  const subject = JSON.stringify([level, owner, duration, isCalendar, max, resetsAt]);
  const percent = used >= max ? 100 : 80;
  const spent = `${dollars(used)} of ${dollars(max)}`;
  const until = resetsAt === 0 ? "" : `. It resets at ${new Date(resetsAt).toISOString()}`;
  const text = `${percent} % of the budget of ${found.name} has been used: ${spent}${until}.`;
  return { type: percent === 100 ? "budget_100" : "budget_80", subject, text, scope: found.scope };
}

interface RefusedCall {
  readonly key: string;
  readonly reason: ErrorCode | "ok";
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One notification for each key, reason and day. */
async function toLimitNotice(records: Records, { key, reason, now }: RefusedCall): Promise<Notice | undefined> {
  const why = reason === "ok" ? undefined : limited[reason];
  if (why === undefined) return undefined;
  const { name, scope } = await ownerOf(records, { level: "key", owner: key });
  const day = new Date(now).toISOString().slice(0, 10);
  return {
    type: "key_limited",
    subject: JSON.stringify([key, reason, day]),
    text: `Requests of ${name} are refused: ${why}.`,
    scope,
  };
}

interface AlertOwner {
  readonly name: string;
  readonly scope: ScopedRecord;
}

/** Returns the name and scope of a limit's owner. An entry of a key (`<key id>/<provider>`) belongs to the key. */
async function ownerOf(records: Records, { level, owner }: Pick<LimitUsage, "level" | "owner">): Promise<AlertOwner> {
  const kind = level === "entry" ? "key" : level;
  const id = level === "entry" ? owner.slice(0, owner.lastIndexOf("/")) : owner;
  const stored = await records.get(kind, id);
  if (!stored) return { name: `the ${kind} \`${id}\``, scope: {} };
  return { name: `the ${kind} \`${stored.record.name}\``, scope: scopeOf(kind, stored.record) };
}

function dollars(amount: number): string {
  return `$${toDollars(amount).toFixed(2)}`;
}
