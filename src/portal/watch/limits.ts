import { type ErrorCode, isGatewayError } from "../../errors.ts";
import type { LimitStanding } from "../../policy/standing.ts";
import { warn } from "../../ports/hear.ts";
import type { Records } from "../../ports/records.ts";
import { toDollars } from "../../usage/money.ts";
import type { AreaTools } from "../area.ts";
import type { Notice } from "../notices.ts";
import { type Placed, placeOf } from "../scope.ts";

/** Milliseconds in which what happens to a key is gathered before its limits are looked at: a busy key costs one look. */
const gathering = 1_000;

/** What a request of a key may be refused with because of a limit. */
const limited: Partial<Record<ErrorCode, string>> = {
  budget_exceeded: "a budget has too little left",
  token_limited: "a token window is full",
  request_limited: "a request window is full",
};

type Tools = Pick<AreaTools, "engine" | "records" | "clock" | "notify">;

/** Tells of budgets that are used to 80 % and 100 %, and of keys that were limited, by what the engine's requests do to them. */
export function watchLimits({ engine, records, clock, notify }: Tools): void {
  let due = new Map<string, Set<ErrorCode | "ok">>();
  const look = async () => {
    const looked = due;
    due = new Map();
    if (engine.isDraining) return;
    for (const [key, reasons] of looked) {
      const standings = await engine.usage.standing(key);
      const notices = [...standings.map((standing) => toBudgetNotice(records, standing))];
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

/** A key that is gone meanwhile is nobody's loss; anything else is a defect of ours, which breaks no request. */
function warnOfDefect(thrown: unknown): void {
  if (isGatewayError(thrown) && thrown.code === "not_found") return;
  warn(thrown);
}

async function toBudgetNotice(records: Records, standing: LimitStanding): Promise<Notice | undefined> {
  const { unit, max, used, level, owner, duration, isCalendar, resetsAt = 0 } = standing;
  if (unit !== "cost" || max === 0 || used * 100 < max * 80) return undefined;
  const found = await ownerOf(records, standing);
  const subject = JSON.stringify([level, owner, duration, isCalendar, max, resetsAt]);
  const percent = used >= max ? 100 : 80;
  const spent = `${dollars(used)} of ${dollars(max)}`;
  const until = resetsAt === 0 ? "" : `, until ${new Date(resetsAt).toISOString()}`;
  const text = `${percent} % of the budget of ${found.name} are used: ${spent}${until}.`;
  return { type: percent === 100 ? "budget_100" : "budget_80", subject, text, place: found.place };
}

interface Refused {
  readonly key: string;
  readonly reason: ErrorCode | "ok";
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One per key, reason and day, however often it happens. */
async function toLimitNotice(records: Records, { key, reason, now }: Refused): Promise<Notice | undefined> {
  const why = reason === "ok" ? undefined : limited[reason];
  if (why === undefined) return undefined;
  const { name, place } = await ownerOf(records, { level: "key", owner: key });
  const day = new Date(now).toISOString().slice(0, 10);
  return {
    type: "key_limited",
    subject: JSON.stringify([key, reason, day]),
    text: `Requests of ${name} are refused: ${why}.`,
    place,
  };
}

interface Owner {
  readonly name: string;
  readonly place: Placed;
}

/** Who a limit belongs to: an entry of a key (`<key id>/<provider>`) is the key's. */
async function ownerOf(records: Records, { level, owner }: Pick<LimitStanding, "level" | "owner">): Promise<Owner> {
  const kind = level === "entry" ? "key" : level;
  const id = level === "entry" ? owner.slice(0, owner.lastIndexOf("/")) : owner;
  const stored = await records.get(kind, id);
  if (!stored) return { name: `the ${kind} \`${id}\``, place: {} };
  return { name: `the ${kind} \`${stored.record.name}\``, place: placeOf(kind, stored.record) };
}

function dollars(amount: number): string {
  return `$${toDollars(amount).toFixed(2)}`;
}
