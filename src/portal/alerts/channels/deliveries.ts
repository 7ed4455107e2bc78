import type { Records, Stored } from "../../../engine/ports/records.ts";
import type { StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import { inParallel } from "../../locks/in-parallel.ts";
import { type SendDeps, type SendOutcome, sendMessage } from "./send.ts";
import { afterSend, changeState } from "./state.ts";

/** Milliseconds from the end of one look at the queue to the next. */
export const deliverEveryMs = 5_000;

/** Attempts of one message, over about two hours. */
const mostAttempts = 8;

/** The pause after the first attempt, what each later one is longer by, and the longest. */
const [firstPauseMs, growth, longestPauseMs] = [10_000, 3, 60 * 60_000];

/** Channels that are sent to at once, and messages that one of them is sent in a row. */
const [mostAtOnce, mostInARow] = [16, 20];

/** Returns the milliseconds from the beginning of an attempt, the first being 1, to the next. */
export function pauseAfter(attempt: number): number {
  return Math.min(longestPauseMs, firstPauseMs * growth ** (attempt - 1));
}

/**
 * Returns what sends the messages that are due, to each channel in their order: while its first message waits for another attempt, the
 * others wait behind it. A message belongs to the process that has counted its attempt; it is sent again where that process died, and a
 * receiver tells it by its id.
 */
export function createDeliveries(deps: SendDeps): () => Promise<void> {
  let stamp: number | undefined;
  let dueAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const current = deps.records.stamp(["alert_delivery"]);
    if (current === stamp && deps.clock.now() < dueAt) return;
    stamp = current;
    const queues = await readQueues(deps.records);
    dueAt = Math.min(
      Number.POSITIVE_INFINITY,
      ...queues.map(([first]) => first?.record.next_at ?? Number.POSITIVE_INFINITY),
    );
    const due = queues.filter(([first]) => first !== undefined && first.record.next_at <= deps.clock.now());
    await inParallel(due, mostAtOnce, (queue) => deliverQueue(deps, queue.slice(0, mostInARow)));
  };
}

/** Returns the waiting messages of each channel, the oldest first. */
async function readQueues(records: Records): Promise<Stored<"alert_delivery">[][]> {
  const queues = new Map<string, Stored<"alert_delivery">[]>();
  for (let after: string | undefined; ; ) {
    const page = await records.list("alert_delivery", { limit: 1_000, after });
    for (const one of page.records) {
      const { channel_id } = one.record;
      queues.set(channel_id, [...(queues.get(channel_id) ?? []), one]);
    }
    if (page.next === undefined) return [...queues.values()];
    after = page.next;
  }
}

async function deliverQueue(deps: SendDeps, queue: readonly Stored<"alert_delivery">[]): Promise<void> {
  for (const delivery of queue) if (!(await deliver(deps, delivery))) return;
}

/** True once the message is out of the queue, so that the next one may be sent. */
async function deliver(deps: SendDeps, { record, version }: Stored<"alert_delivery">): Promise<boolean> {
  const { records, clock } = deps;
  const { id, channel_id, attempts, next_at, message } = record;
  const channel = await findChannel(records, channel_id);
  if (!channel) {
    await records.remove("alert_delivery", id);
    return true;
  }
  if (next_at > clock.now()) return false;
  const attempt = attempts + 1;
  const claimed = { ...record, attempts: attempt, next_at: clock.now() + pauseAfter(attempt) };
  if ((await records.put("alert_delivery", claimed, version)).kind !== "stored") return false;
  const outcome: SendOutcome = await sendMessage(deps, { channel, deliveryId: id, message });
  const isLast = attempt >= mostAttempts;
  const isOver = outcome.isDelivered || isLast;
  if (isOver) await records.remove("alert_delivery", id);
  await changeState(records, channel_id, (state) => afterSend(state, { outcome, isLast, now: clock.now() }));
  return isOver;
}

/** Returns the channel, unless it was deleted or disabled: then nothing is sent to it any more. */
async function findChannel(records: Records, id: string): Promise<StoredAlertChannel | undefined> {
  const channel = (await records.get("alert_channel", id))?.record;
  return channel?.enabled ? channel : undefined;
}
