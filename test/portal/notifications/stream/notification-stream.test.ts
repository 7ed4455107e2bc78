import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { createNotify } from "../../../../src/portal/notify.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { providerOf } from "../../support/areas/ai/office.ts";
import { noon } from "../../support/rig.ts";

interface Sent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const place = { reseller: "acme", client_id: "c-1" };
const folder = mkdtempSync(join(tmpdir(), "tollgate-notifications-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(store: Store, clock = fakeClock({ startAt: noon })) {
  const engine = createEngine({ providers: [providerOf("one")], store, clock });
  const portal = createPortal({ engine, store });
  const notify = createNotify({ records: store.records, clock });
  const follow = (scope: object, last_event_id?: string) => {
    const calls = portal.as({ ...operator, scope });
    const input = last_event_id === undefined ? {} : { last_event_id };
    const events = calls.notifications.stream(input) as unknown as Promise<AsyncIterable<Sent>>;
    let iterator: AsyncIterator<Sent> | undefined;
    return {
      async next(): Promise<Sent> {
        iterator ??= (await events)[Symbol.asyncIterator]();
        return (await iterator.next()).value as Sent;
      },
      end: async () => void (await iterator?.return?.()),
    };
  };
  return { engine, clock, notify, follow };
}

/** Lets the stream look at the store until it has sent something. */
async function soon(clock: ReturnType<typeof fakeClock>, next: Promise<Sent>): Promise<Sent> {
  let isOver = false;
  const sent = next.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 1)); // what reads the store is on another thread: turns alone do not wait for it
  }
  return sent;
}

const told = (subject: string) => ({
  type: "key_limited" as const,
  subject,
  key: "notice.key_limited",
  params: { name: subject },
  scope: place,
});

describe("notifications as they come", () => {
  it("reach the readers of their tenant and of those above, and nobody else's", async () => {
    const { clock, notify, follow } = open(memoryStore());
    const own = follow(place);
    const other = follow({ reseller: "acme", client_id: "c-2" });
    expect(await own.next()).toMatchObject({ event: "open" });
    expect(await other.next()).toMatchObject({ event: "open" });
    await notify(told("vk_1") as never);
    expect(await soon(clock, own.next())).toMatchObject({
      event: "notification",
      data: { type: "notification", kind: "key_limited", subject: "vk_1" },
    });
    expect((await soon(clock, other.next())).event).toBe("changed");
    await own.end();
    await other.end();
  });

  it("that came while a reader was away are sent when it comes back", async () => {
    const { clock, notify, follow } = open(memoryStore());
    const first = follow(place);
    await first.next();
    await notify(told("vk_1") as never);
    const { id } = await soon(clock, first.next());
    await first.end();
    clock.advance(10);
    await notify(told("vk_2") as never);
    const back = follow(place, id);
    expect(await back.next()).toMatchObject({ event: "open", id });
    expect((await soon(clock, back.next())).data).toMatchObject({ subject: "vk_2" });
    await back.end();
  });

  it("reach a reader however many came at once", async () => {
    const { clock, notify, follow } = open(memoryStore());
    const reader = follow(place);
    await reader.next();
    for (let at = 0; at < 250; at++) await notify(told(`vk_${at}`) as never);
    const subjects = new Set<unknown>();
    while (subjects.size < 250) subjects.add((await soon(clock, reader.next())).data.subject);
    await reader.end();
  });

  it("come from other processes over the same store", async () => {
    const file = join(folder, "shared.db");
    const clock = fakeClock({ startAt: noon });
    const [one, two] = [open(await sqliteStore(file), clock), open(await sqliteStore(file), clock)];
    const reader = one.follow(place);
    await reader.next();
    await two.notify(told("vk_9") as never);
    expect((await soon(clock, reader.next())).data).toMatchObject({ subject: "vk_9" });
    await reader.end();
    await one.engine.close();
    await two.engine.close();
  });

  it("are refused to a user with too many readers", async () => {
    const { follow } = open(memoryStore());
    const readers = Array.from({ length: 10 }, () => follow(place));
    for (const reader of readers) await reader.next();
    await expect(follow(place).next()).rejects.toMatchObject({ code: "concurrency_limited" });
    for (const reader of readers) await reader.end();
    await follow(place).next();
  });
});
