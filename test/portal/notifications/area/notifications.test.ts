import { describe, expect, it } from "vitest";
import type { Store } from "../../../../src/engine/ports/store.ts";
import type { StoredToken } from "../../../../src/operations/records/users.ts";
import { noticeExpiring } from "../../../../src/portal/alerts/tokens.ts";
import { notificationsArea } from "../../../../src/portal/notifications/area.ts";
import { createNotify } from "../../../../src/portal/notify.ts";
import type { TenantScope } from "../../../../src/portal/tenancy/tenant-scope.ts";
import { fakeClock } from "../../../../src/testing/clock.ts";
import { callerAt, client, openOffice } from "../../support/areas/ai/office.ts";
import { callAt, noon, stores } from "../../support/rig.ts";

const day = 86_400_000;

function rig({ records }: Store) {
  const clock = fakeClock({ startAt: noon });
  const notify = createNotify({ records, clock });
  const area = notificationsArea({ engine: { clock } } as never);
  const at = (place: TenantScope, now = clock.now()) => callAt(records, place, { now });
  const list = async (place: TenantScope, unread?: boolean) => (await area.list?.({ unread }, at(place))) ?? [];
  return { records, clock, notify, area, at, list };
}

/** An office whose budgets a few answers, of 0.002 dollars each, use up. */
async function openBusyOffice(store: Store) {
  const office = await openOffice(store);
  const { engine, portal, clock } = office;
  const metadata = { reseller: "acme", client_id: "c-1" };
  const budgets = [{ max_limit: 0.01, reset_duration: "1d" as const }];
  const project = await engine.projects.create({ name: "Chat", metadata, budgets });
  const make = async (name: string, limits: object = {}) => {
    const entry = { provider: "one", allowed_models: ["*"] };
    const draft = { name, metadata, project_id: project.id, provider_configs: [entry], ...limits };
    return (await engine.keys.create(draft)).value;
  };
  const chat = (key: string) =>
    engine.chat({ model: "one/small", messages: [{ role: "user", content: "hi" }], max_tokens: 1 }, { key }).then(
      () => "ok",
      (thrown) => thrown.code,
    );
  const told = async (place: TenantScope = client) => {
    await clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve)); // what the timer began ends with the store's own turns
    const all = await portal.as(callerAt(place)).notifications.list({});
    return all.map(({ type, notification, client: of }) => [type, notification, of]);
  };
  return { ...office, chat, project, make, told };
}

describe.each(stores)("notifications: %s", (_name, open) => {
  it("a budget is told of at 80 % and at 100 %, each once per window, where its owner lies", async () => {
    const { chat, make, told, clock } = await openBusyOffice(await open());
    const key = await make("a key");
    for (let count = 0; count < 3; count++) expect(await chat(key)).toBe("ok");
    expect(await told()).toEqual([]);
    expect(await chat(key)).toBe("ok");
    const until = new Date(noon + day).toISOString();
    const first = [
      "budget_80",
      `80 % of the budget of the project \`Chat\` has been used: $0.01 of $0.01. It resets at ${until}.`,
    ];
    expect(await told()).toEqual([[...first, "c-1"]]);
    expect(await told({ reseller: "acme", client_id: "c-2" })).toEqual([]);
    expect(await chat(key)).toBe("ok");
    const types = async () => (await told()).map(([type]) => type).sort();
    expect(await types()).toEqual(["budget_100", "budget_80"]);
    expect(await chat(key)).toBe("budget_exceeded");
    expect(await chat(key)).toBe("budget_exceeded");
    expect(await types()).toEqual(["budget_100", "budget_80", "key_limited"]);
    await clock.advance(day);
    for (let count = 0; count < 5; count++) await chat(key);
    expect(await types()).toEqual(["budget_100", "budget_100", "budget_80", "key_limited"]);
  });

  it("a key that is limited is told of once per day and reason", async () => {
    const { chat, make, told, clock } = await openBusyOffice(await open());
    const key = await make("a key", { rate_limits: [{ request_max_limit: 1, request_reset_duration: "1m" }] });
    for (let minute = 0; minute < 3; minute++) {
      expect(await chat(key)).toBe("ok");
      expect(await chat(key)).toBe("request_limited");
      await clock.advance(60_000);
    }
    const text = "Requests of the key `a key` are refused: a request window is full.";
    expect(await told()).toEqual([["key_limited", text, "c-1"]]);
  });

  it("a key that is deleted meanwhile is nobody's loss", async () => {
    const { chat, make, told, engine } = await openBusyOffice(await open());
    const key = await make("a key");
    await chat(key);
    for (const { id } of (await engine.keys.list()).items) await engine.keys.remove(id);
    expect(await told()).toEqual([]);
  });

  it("a token that ends within a week is told of once; another end is told of again", async () => {
    const store = await open();
    const { records, list, clock, notify } = rig(store);
    const look = () => noticeExpiring(records, notify, clock.now());
    const created_at = new Date(noon).toISOString();
    const user = { id: "usr_1", user_id: "usr_1", username: "ann", hash: "ann", level: "user", enabled: true } as const;
    await records.put("user", { ...user, created_at, ...client, roles: [] }, 0);
    const common = { created_at, ...client, user_id: "usr_1", last4: "abcd", starts_at: null, permissions: [] };
    const make = (id: string, days: number | null): StoredToken => {
      const ends_at = days === null ? null : new Date(noon + days * day).toISOString();
      return { ...common, id, name: id, hash: `hash of ${id}`, ends_at };
    };
    for (const [id, days] of [
      ["soon", 7],
      ["later", 8],
      ["past", 0],
      ["never", null],
    ] as const)
      await records.put("token", make(id, days), 0);
    const ends = new Date(noon + 7 * day).toISOString();
    const text = `The access token \`soon\` (…abcd) expires at ${ends}. Create a new one before then.`;
    const shown = expect.objectContaining({ type: "token_expiring", notification: text, user: "usr_1", client: "c-1" });
    await look();
    await look();
    expect(await list(client)).toEqual([shown]);
    expect(JSON.stringify(await list({}))).not.toContain("hash of");
    await clock.advance(day);
    await look();
    expect(await list({ ...client, user_id: "usr_1" })).toHaveLength(2);
    await records.put("token", make("soon", 5), 1);
    await look();
    expect(await list({})).toHaveLength(3);
    expect(await list({ reseller: "other" })).toEqual([]);
  });

  it("reading has its instant for each user, which a second reading keeps; unread are those without", async () => {
    const { notify, area, at, list } = rig(await open());
    const place = { ...client, user_id: "usr_1" };
    const end = { type: "task_ended", subject: "tsk_1", key: "notice.task_done", params: { name: "nightly" } } as const;
    for (let count = 0; count < 2; count++) await notify({ ...end, link: "/task/tsk_1/step", scope: place });
    const params = { resource_type: "volume", resource_id: "vol-1", message: "No room." };
    await notify({ type: "backup_failed", subject: "tsk_1", key: "notice.backup_failed", params, scope: client });
    const [first, second] = await list(client);
    const ended = [first, second].find((one) => one?.type === "task_ended");
    expect(ended).toEqual({
      id: expect.stringMatching(/^ntf_[0-9a-f]{24}$/),
      ...{ type: "task_ended", notification: 'The task "nightly" is done.', timestamp: new Date(noon).toISOString() },
      ...{ read: "", reseller: "acme", client: "c-1", user: "usr_1", severity: "info", subject: "tsk_1" },
      ...{ key: "notice.task_done", params: { name: "nightly" }, link: "/task/tsk_1/step" },
    });
    expect(await list(place)).toEqual([ended]);
    await area.markRead?.({ id: ended?.id ?? "" }, at(place, noon + 5_000));
    await area.markRead?.({ id: ended?.id ?? "" }, at(place, noon + 9_000));
    expect((await list(place)).map(({ read }) => read)).toEqual([new Date(noon + 5_000).toISOString()]);
    expect(await list(place, true)).toEqual([]);
    expect(await list(client, true)).toHaveLength(2); // another user has read neither
    for (const by of [{ reseller: "other" }, { ...client, user_id: "usr_2" }]) {
      const read = async () => area.markRead?.({ id: ended?.id ?? "" }, at(by));
      await expect(read).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
