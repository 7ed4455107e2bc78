import { type ErrorCode, isGatewayError } from "../../engine/errors.ts";
import { toDollars } from "../../engine/metering/money.ts";
import type { LimitUsage } from "../../engine/policy/limit-usage.ts";
import type { Records } from "../../engine/ports/records.ts";
import { warn } from "../../engine/runtime/notify.ts";
import type { PortalDeps } from "../area.ts";
import type { Notice } from "../notify.ts";
import { findOwner, linkOf, ownerIdOf } from "./owner.ts";
import { limitCodes } from "./sources/activity.ts";

/** Milliseconds for which events of a key are collected before its limits are read: a busy key costs one read. */
const gathering = 1_000;

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
  const { unit, max_nano: max = 0, used_nano: used = 0, level, owner, duration, is_calendar, resets_at = 0 } = limit;
  if (unit !== "cost" || max === 0 || used * 100 < max * 80) return undefined;
  const found = await ownerOf(records, limit);
  const event = JSON.stringify([level, owner, duration, is_calendar, max, resets_at]);
  const percent = used >= max ? 100 : 80;
  const { scope, link, id: subject, ...owning } = found;
  const spent = { percent, ...owning, used: dollars(used), limit: dollars(max) };
  const type = percent === 100 ? "budget_100" : "budget_80";
  const common = { type, subject, event, link, scope } as const;
  if (resets_at === 0) return { ...common, key: "notice.budget", params: spent };
  const params = { ...spent, resets_at: new Date(resets_at).toISOString() };
  return { ...common, key: "notice.budget_resets", params };
}

interface RefusedCall {
  readonly key: string;
  readonly reason: ErrorCode | "ok";
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One notification for each key, reason and day. */
async function toLimitNotice(records: Records, { key, reason, now }: RefusedCall): Promise<Notice | undefined> {
  if (!limitCodes.has(reason)) return undefined;
  const { name, scope, link } = await ownerOf(records, { level: "key", owner: key });
  const day = new Date(now).toISOString().slice(0, 10);
  return {
    type: "key_limited",
    subject: key,
    event: JSON.stringify([key, reason, day]),
    key: "notice.key_limited",
    params: { name, reason },
    link,
    scope,
  };
}

/** Returns the owner of a limit, also of one that was deleted meanwhile. */
async function ownerOf(records: Records, limit: Pick<LimitUsage, "level" | "owner">) {
  const { kind, id } = ownerIdOf(limit);
  return (await findOwner(records, limit)) ?? { kind, id, name: id, link: linkOf({ kind, id }), scope: {} };
}

function dollars(amount: number): string {
  return `$${toDollars(amount).toFixed(2)}`;
}
