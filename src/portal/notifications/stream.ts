import type { StoredNotification } from "../../operations/records/notifications.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { languageOf, textsAt } from "../i18n/reader.ts";
import type { AreaBackend } from "../regions.ts";
import { createReaderCount } from "../streams/reader-count.ts";
import { type SentEvent, subscribe } from "../streams/subscription.ts";
import { showNotification } from "./show.ts";

type StreamRow = NonNullable<AreaBackend<"notifications">["stream"]>;

/** Notifications of one page that is read, and new ones of one look; those behind them come with the next change. */
const [mostAtOnce, mostOfLook] = [100, 1_000];

/** Milliseconds between two looks at whether the notifications of the store have changed, by whichever process. */
const lookEveryMs = 1_000;

const watched = ["notification"] as const;

/** Where a reader is: behind this instant, and behind these notifications of it. */
interface ReaderPosition {
  readonly at: string;
  readonly ids: readonly string[];
}

/** The notifications of a caller as they come: its own process's and those of others over the same store. */
export function notificationStream({ engine }: Pick<PortalDeps, "engine">): StreamRow {
  const readers = createReaderCount({ mostOfUser: 10, mostOfAll: 1_000 });
  return ({ last_event_id }, call) => {
    const { id } = call.caller.user;
    readers.check(id);
    const events = subscribe({
      clock: engine.clock,
      isOver: () => engine.isDraining,
      start({ push }) {
        readers.add(id, 1);
        const end = followStore(call, { engine, last_event_id, push });
        return () => {
          end();
          readers.add(id, -1);
        };
      },
    });
    return events as never; // seam: the type of a row has no streams
  };
}

interface Follower extends Pick<PortalDeps, "engine"> {
  readonly last_event_id: string | undefined;
  readonly push: (event: SentEvent) => void;
}

/** Looks at the store until the returned function ends it. A look that fails is made again. */
function followStore(call: PortalCall, { engine: { clock }, last_event_id, push }: Follower): () => void {
  const { records } = call;
  let position = positionOf(last_event_id) ?? { at: new Date(call.now).toISOString(), ids: [] };
  let stamp = last_event_id === undefined ? records.stamp(watched) : undefined;
  let isEnded = false;
  let cancel = () => {};
  const look = async () => {
    const current = records.stamp(watched);
    if (current !== stamp) {
      const fresh = await readNew(call, position);
      if (isEnded) return;
      stamp = current;
      for (const event of fresh.events) push(event);
      if (fresh.events.length === 0) push({ id: idOf(position), event: "changed", data: { type: "changed" } });
      position = fresh.position;
    }
  };
  const tick = () => {
    look()
      .catch(() => {}) // the store is away: the next look may find it
      .finally(() => {
        if (!isEnded) cancel = clock.after(lookEveryMs, tick);
      });
  };
  push({ id: idOf(position), event: "open", data: { type: "open" } });
  tick();
  return () => {
    isEnded = true;
    cancel();
  };
}

/** The notifications behind a position, oldest first, and where their reader is then. */
async function readNew(call: PortalCall, { at, ids }: ReaderPosition) {
  const { records, allRecords, caller } = call;
  const fresh: StoredNotification[] = [];
  let after: string | undefined;
  do {
    const page = await records.list("notification", { from: at, limit: mostAtOnce, ...(after ? { after } : {}) });
    fresh.push(...page.records.map(({ record }) => record).filter(({ id }) => !ids.includes(id)));
    after = page.next;
  } while (after !== undefined && fresh.length < mostOfLook);
  const texts = await textsAt(allRecords, await languageOf(allRecords, call), caller.scope);
  let position: ReaderPosition = { at, ids };
  const events: SentEvent[] = [];
  for (const one of fresh) {
    position = behind(position, one);
    const shown = showNotification(one, { reader: caller.user.id, texts });
    events.push({
      id: idOf(position),
      event: "notification",
      data: { ...shown, type: "notification", kind: shown.type },
    });
  }
  return { events, position };
}

function behind({ at, ids }: ReaderPosition, { id, created_at }: StoredNotification): ReaderPosition {
  return created_at === at ? { at, ids: [...ids, id] } : { at: created_at, ids: [id] };
}

/** The last id is enough: those of the same instant before it were sent earlier, or are sent once more. */
function idOf({ at, ids }: ReaderPosition): string {
  return `${at}/${ids.at(-1) ?? ""}`;
}

function positionOf(text: string | undefined): ReaderPosition | undefined {
  const [, at = "", id = ""] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\/([\w-]{0,128})$/.exec(text ?? "") ?? [];
  return at === "" || Number.isNaN(Date.parse(at)) ? undefined : { at, ids: id === "" ? [] : [id] };
}
