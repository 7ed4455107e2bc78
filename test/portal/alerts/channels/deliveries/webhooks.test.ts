import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { webhook } from "../../../../../adapters/messages/webhook/index.ts";
import { pauseAfter } from "../../../../../src/portal/alerts/channels/deliveries.ts";
import { operator } from "../../../../../src/portal/call/operator.ts";
import { openAlerting, openReceiver, type Received } from "../../../support/alerts/world.ts";
import { noon } from "../../../support/rig.ts";

const webhooks = webhook({ allow: ["127.0.0.1"] });

/** True for a message that was signed with the secret, as a receiver checks it. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-tg-signature"])) ?? [];
  return mac === createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
}

async function open() {
  const world = await openAlerting({ webhooks });
  const receiver = await openReceiver();
  const channel = await world.calls.alerts.createChannel({ name: "ops", kind: "webhook", url: receiver.url });
  return { ...world, receiver, channel, secret: channel.secret ?? "" };
}

const soon = 30_000;

/** A key with a budget that is used up by one call. */
async function spend({ calls, engine }: Awaited<ReturnType<typeof open>>) {
  const budgets = [
    { max_limit: 0.000_001, reset_duration: "1d", calendar_aligned: false, enforcement: "hard" } as const,
  ];
  const made = { name: "spender", description: "", tier: "standard", user_bound: false, budgets };
  const key = await calls.ai.createKey(made);
  const messages = [{ role: "user" as const, content: "hello" }];
  await engine.chat({ model: "one/large", messages }, { key: key.value }).catch(() => {});
  return key;
}

describe("webhooks of alerts", () => {
  it("are sent once, signed, when a rule's condition begins to hold, and once when it is over", async () => {
    const world = await open();
    const { calls, receiver, channel, secret, pass, failures } = world;
    const rule = await calls.alerts.createRule({
      name: "limits",
      kind: "limit_refused",
      channels: [channel.id],
      minutes: 5,
    });
    await pass(soon);
    const key = await spend(world);
    const messages = [{ role: "user" as const, content: "again" }];
    await world.engine.chat({ model: "one/large", messages }, { key: key.value }).catch(() => {});
    await pass(soon);
    await pass(soon, () => receiver.received.length > 0);
    const [first] = receiver.received;
    expect(first && isSigned(first, secret)).toBe(true);
    expect(first && isSigned({ ...first, body: `${first.body} ` }, secret)).toBe(false);
    const body = JSON.parse(first?.body ?? "");
    expect(body).toMatchObject({
      type: "alert.triggered",
      alert: { rule_id: rule.id, subject: key.id, occurrence: 1 },
    });
    expect(body).toMatchObject({ id: first?.headers["x-tg-delivery"], tenant: { reseller: "acme", client_id: "c-1" } });
    expect(body.text).toMatch(/requests of the key `spender` were refused/);
    await pass(soon);
    expect(receiver.received).toHaveLength(1);
    await pass(10 * 60_000);
    await pass(soon);
    await pass(soon, () => receiver.received.length > 1);
    expect(JSON.parse(receiver.received[1]?.body ?? "")).toMatchObject({ type: "alert.resolved" });
    expect((await calls.alerts.list({})).map(({ status, occurrence }) => [status, occurrence])).toEqual([
      ["resolved", 1],
    ]);
    const types = (await calls.notifications.list({}))
      .map(({ type }) => type)
      .filter((type) => type.startsWith("alert"));
    expect(types.sort()).toEqual(["alert_resolved", "alert_triggered"]);
    expect(failures).toEqual([]);
  });

  it("are tried again with growing pauses, each with the same id, and the channel shows why", async () => {
    const world = await open();
    const { calls, receiver, channel, pass } = world;
    receiver.statuses.push(500, 302);
    await calls.alerts.createRule({ name: "limits", kind: "limit_refused", channels: [channel.id], minutes: 60 });
    await pass(soon);
    const key = await spend(world);
    const messages = [{ role: "user" as const, content: "again" }];
    await world.engine.chat({ model: "one/large", messages }, { key: key.value }).catch(() => {});
    await pass(soon);
    const shown = async () => (await calls.alerts.channels({}))[0];
    await pass(5_000, async () => (await shown())?.last_error !== null);
    expect(await shown()).toMatchObject({ pending: 1, failed: 0, last_success_at: null });
    expect((await shown())?.last_error).toBe("The receiver answered with status 500.");
    await pass(10_000, async () => receiver.received.length > 1 && /302/.test((await shown())?.last_error ?? ""));
    expect(receiver.received).toHaveLength(2);
    await pass(30_000, async () => (await shown())?.pending === 0);
    expect(await shown()).toMatchObject({ pending: 0, last_error: null });
    expect(new Set(receiver.received.map(({ headers }) => headers["x-tg-delivery"])).size).toBe(1);
  });

  it("wait longer after each attempt, an hour at most", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => pauseAfter(attempt) / 1_000);
    expect(pauses).toEqual([10, 30, 90, 270, 810, 2_430, 3_600, 3_600]);
  });

  it("show the secret once; a test of a channel says how it went", async () => {
    const { calls, channel, receiver, secret, clock } = await open();
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(JSON.stringify(await calls.alerts.channels({}))).not.toContain(secret);
    receiver.statuses.push(404);
    const failed = await calls.alerts.testChannel({ alert_channel_id: channel.id });
    expect(failed).toEqual({ delivered: false, status: 404, error: "The receiver answered with status 404." });
    await expect(calls.alerts.testChannel({ alert_channel_id: channel.id })).rejects.toMatchObject({
      code: "request_limited",
    });
    await clock.advance(10_000);
    expect(await calls.alerts.testChannel({ alert_channel_id: channel.id })).toEqual({ delivered: true, status: 204 });
    const { secret: fresh = "" } = await calls.alerts.changeChannel({
      alert_channel_id: channel.id,
      rotate_secret: true,
    });
    await clock.advance(10_000);
    await calls.alerts.testChannel({ alert_channel_id: channel.id });
    const last = receiver.received.at(-1);
    expect([last && isSigned(last, fresh), last && isSigned(last, secret)]).toEqual([true, false]);
  });

  it("show and store nothing of the address but its origin; a form may send back what it was shown", async () => {
    const { calls, channel, receiver, store, clock } = await open();
    const shown = (await calls.alerts.channels({}))[0]?.url ?? "";
    expect(shown).toBe(receiver.url.replace("/hook", "/…"));
    expect([
      channel.url,
      JSON.stringify(await store.records.list("alert_channel", { limit: 10 })).includes("/hook"),
    ]).toEqual([shown, false]);
    await calls.alerts.changeChannel({ alert_channel_id: channel.id, name: "renamed", url: shown });
    expect(await calls.alerts.testChannel({ alert_channel_id: channel.id })).toEqual({ delivered: true, status: 204 });
    await calls.alerts.changeChannel({ alert_channel_id: channel.id, url: `${receiver.url}/moved` });
    await clock.advance(10_000);
    await calls.alerts.testChannel({ alert_channel_id: channel.id });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook/moved"]);
  });

  it("of a tenant tell of its own only, and are seen by nobody beside it", async () => {
    const world = await open();
    const { portal, receiver, channel, calls, pass } = world;
    const other = portal.as({ ...operator, scope: { reseller: "acme", client_id: "c-2" } });
    await calls.alerts.createRule({ name: "mine", kind: "limit_refused", channels: [channel.id] });
    await expect(
      other.alerts.createRule({ name: "theirs", kind: "limit_refused", channels: [channel.id] }),
    ).rejects.toMatchObject({ param: "channels" });
    await other.alerts.createRule({ name: "theirs", kind: "limit_refused" });
    await pass(soon);
    const key = await spend(world);
    await world.engine
      .chat({ model: "one/large", messages: [{ role: "user", content: "again" }] }, { key: key.value })
      .catch(() => {});
    await pass(soon);
    await pass(soon, () => receiver.received.length > 0);
    expect(await other.alerts.list({})).toEqual([]);
    expect((await other.notifications.list({})).filter(({ type }) => type.startsWith("alert"))).toEqual([]);
    expect((await calls.alerts.list({ status: "open" })).map(({ rule }) => rule)).toEqual(["mine"]);
    expect((await calls.alerts.list({}))[0]?.opened_at).toBe(new Date(noon + 2 * soon).toISOString());
  });
});

describe("which addresses may be called", () => {
  const strict = webhook();
  it.each([
    ...["http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1]/", "http://[::ffff:127.0.0.1]/"],
    ...[
      "http://10.0.0.8/",
      "http://169.254.169.254/latest",
      "http://[fe80::1]/",
      "http://[fd00::1]/",
      "http://0.0.0.0/",
    ],
    ...["http://100.64.0.1/", "http://[64:ff9b::a00:1]/", "ftp://example.com/", "https://user:pw@example.com/"],
  ])("%s is refused before anything is sent", (url) => {
    expect(() => strict.check(url)).toThrow(expect.objectContaining({ code: "invalid_request", param: "url" }));
  });

  it("a name that leads to this machine is refused when it is resolved", async () => {
    const { url, received } = await openReceiver();
    const byName = url.replace("127.0.0.1", "localhost");
    expect(() => strict.check(byName)).not.toThrow();
    const posted = strict.post({ url: byName, headers: {}, body: "{}" });
    await expect(posted).rejects.toMatchObject({ code: "invalid_request", param: "url" });
    expect(received).toEqual([]);
  });

  it.each(["https://example.com/hook", "http://8.8.8.8/", "https://[2606:4700::1111]/"])("%s may be called", (url) => {
    expect(() => strict.check(url)).not.toThrow();
  });
});
