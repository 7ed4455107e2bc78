import { describe, expect, it } from "vitest";
import { webhook } from "../../../adapters/messages/webhook/index.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { defineProvider, GatewayError } from "../../../src/index.ts";
import { forgetOld, readRetention } from "../../../src/portal/retention.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { openAlerting, openReceiver } from "../support/alerts/world.ts";
import { answerCost } from "../support/areas/ai/office.ts";
import { makePlaces } from "../support/places.ts";
import { noon } from "../support/rig.ts";

const webhooks = webhook({ allow: ["127.0.0.1"] });
const [look, day] = [30_000, 86_400_000];
const messages = [{ role: "user" as const, content: "hello" }];

type World = Awaited<ReturnType<typeof open>>;

/** A gateway with one channel, whose `one` provider fails while `isDown`. */
async function open(shared: Parameters<typeof openAlerting>[1] = {}) {
  const state = { isDown: false };
  const provider = defineProvider({
    name: "one",
    async chat(_request, { id, model }) {
      if (state.isDown) throw new GatewayError("upstream_unreachable", "The vendor is down.");
      const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };
      const message = { role: "assistant" as const, content: "yes" };
      const choices = [{ index: 0, finish_reason: "stop" as const, message }];
      return { id, object: "chat.completion" as const, created: 1, model, choices, usage };
    },
  });
  const world = await openAlerting({ webhooks }, { providers: [provider], ...shared });
  const receiver = await openReceiver();
  const channel = await world.calls.alerts.createChannel({ name: "ops", kind: "webhook", url: receiver.url });
  return { ...world, state, receiver, channel };
}

/** Calls as often as asked, whatever the answers are; time goes on while a call waits for its next attempt. */
async function call({ engine, clock }: World, key: string, times: number) {
  for (let index = 0; index < times; index++) {
    let isOver = false;
    const answer = engine.chat({ model: "one/large", messages }, { key }).catch(() => {});
    answer.finally(() => {
      isOver = true;
    });
    for (let turns = 0; !isOver; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turns > 20) await clock.advance(100);
    }
  }
}

function makeKey({ calls }: World, fields: object = {}) {
  return calls.ai.createKey({ name: "subject", description: "", tier: "standard", user_bound: false, ...fields });
}

/** The types and texts of what the receiver got, once it has got so many. */
async function receivedTexts({ receiver, pass }: World, count: number) {
  await pass(look, () => receiver.received.length >= count);
  return receiver.received.map(({ body }) => {
    const { type, text, alert } = JSON.parse(body) as { type: string; text: string; alert: { kind: string } };
    return { type, kind: alert.kind, text };
  });
}

describe("alerts of each kind reach a webhook when they begin, and when they are over", () => {
  it("budget_used: a share of a budget, and its new window", async () => {
    const world = await open();
    const { calls, channel, pass } = world;
    await calls.alerts.createRule({ name: "r", kind: "budget_used", channels: [channel.id], percent: 50 });
    const budgets = [
      { max_limit: 3 * answerCost, reset_duration: "1h", calendar_aligned: false, enforcement: "soft" } as const,
    ];
    const key = await makeKey(world, { budgets });
    await call(world, key.value, 1);
    await pass(look);
    expect(await receivedTexts(world, 0)).toEqual([]);
    await call(world, key.value, 1);
    await pass(look);
    const text = expect.stringMatching(/^66 % of the budget of the key `subject` has been used/);
    expect(await receivedTexts(world, 1)).toEqual([{ type: "alert.triggered", kind: "budget_used", text }]);
    await pass(3_600_000);
    await pass(look);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([{ type: "alert.resolved", kind: "budget_used" }]);
  });

  it("balance_low: prepaid credit, and a top-up", async () => {
    const world = await open();
    const { calls, channel, pass } = world;
    await calls.alerts.createRule({ name: "r", kind: "balance_low", channels: [channel.id], dollars: 1 });
    const credit = (max_limit: number) => [
      { max_limit, reset_duration: "never", calendar_aligned: false, enforcement: "hard" } as const,
    ];
    const key = await makeKey(world, { budgets: credit(1.001) });
    await pass(look);
    expect(await receivedTexts(world, 0)).toEqual([]);
    await call(world, key.value, 1);
    await pass(look);
    expect(await receivedTexts(world, 1)).toMatchObject([{ type: "alert.triggered", kind: "balance_low" }]);
    await calls.ai.changeKey({ key_id: key.id, budgets: credit(20) });
    await pass(look);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([{ type: "alert.resolved", kind: "balance_low" }]);
  });

  it("key_expiring: the week before its end, and a later end", async () => {
    const world = await open();
    const { calls, channel, pass } = world;
    await calls.alerts.createRule({ name: "r", kind: "key_expiring", channels: [channel.id], days: 7 });
    const endAt = (days: number) => new Date(noon + days * day).toISOString();
    const key = await makeKey(world, { expires_at: endAt(8) });
    await pass(look);
    expect(await receivedTexts(world, 0)).toEqual([]);
    await pass(1.5 * day);
    const text = expect.stringContaining(endAt(8));
    expect(await receivedTexts(world, 1)).toEqual([{ type: "alert.triggered", kind: "key_expiring", text }]);
    await calls.ai.changeKey({ key_id: key.id, expires_at: endAt(30) });
    await pass(700_000);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([{ type: "alert.resolved", kind: "key_expiring" }]);
  });

  it("token_expiring: the week before its end, and its revocation", async () => {
    const world = await open();
    const { calls, channel, pass } = world;
    await calls.alerts.createRule({ name: "r", kind: "token_expiring", channels: [channel.id], days: 2 });
    await makePlaces(world.portal, { reseller: "acme", client_id: "c-1" });
    const role = await calls.users.createRole({ name: "reader", permissions: ["ai-get"] });
    const user = await calls.users.create({ username: "ada", roles: [role.id] });
    const ends_at = new Date(noon + day).toISOString();
    const token = await calls.users.createToken({ user_id: user.id, name: "ci", permissions: ["ai-get"], ends_at });
    await pass(look);
    const text = expect.stringMatching(/`ci`/);
    expect(await receivedTexts(world, 1)).toEqual([{ type: "alert.triggered", kind: "token_expiring", text }]);
    await calls.users.revokeToken({ user_id: user.id, token_id: token.id });
    await pass(700_000);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([
      { type: "alert.resolved", kind: "token_expiring" },
    ]);
  });

  it("error_rate: a vendor that fails, and the window that forgets it", async () => {
    const world = await open();
    const { calls, channel, pass, state } = world;
    const params = { percent: 50, minutes: 5, min_requests: 4, target: "one" };
    await calls.alerts.createRule({ name: "r", kind: "error_rate", channels: [channel.id], ...params });
    const key = await makeKey(world);
    await pass(look);
    await call(world, key.value, 4);
    state.isDown = true;
    await call(world, key.value, 1);
    await pass(look);
    expect(await receivedTexts(world, 0)).toEqual([]);
    await call(world, key.value, 1);
    await pass(look);
    const text = expect.stringContaining("one/large");
    expect(await receivedTexts(world, 1)).toEqual([{ type: "alert.triggered", kind: "error_rate", text }]);
    await pass(6 * 60_000);
    await pass(look);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([{ type: "alert.resolved", kind: "error_rate" }]);
  });

  it("circuit_open: a vendor that is left alone, and one that answers again", async () => {
    const world = await open();
    const { calls, channel, pass, state, engine } = world;
    await calls.alerts.createRule({ name: "r", kind: "circuit_open", channels: [channel.id] });
    const key = await makeKey(world);
    state.isDown = true;
    await call(world, key.value, 10);
    expect(engine.health().map(({ state }) => state)).toContain("open");
    await pass(look);
    expect(await receivedTexts(world, 1)).toMatchObject([{ type: "alert.triggered", kind: "circuit_open" }]);
    state.isDown = false;
    await pass(10 * 60_000);
    await call(world, key.value, 3);
    await pass(look);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([{ type: "alert.resolved", kind: "circuit_open" }]);
  });

  it("backup_failed: the latest one of a resource, and the next that succeeds", async () => {
    const world = await open();
    const { calls, channel, pass, store } = world;
    await calls.alerts.createRule({ name: "r", kind: "backup_failed", channels: [channel.id] });
    const own = { reseller: "acme", client_id: "c-1", user_id: null, created_at: new Date(noon).toISOString() };
    const resource = { region: "eu-1", resource_id: "vol-1", resource_type: "volume" as const, project_id: null };
    const plan = { protected_resource_id: null, policy_id: "p", assignment_id: "a", starting_hour: 2, is_full: true };
    const end = (id: string, state: "failed" | "available", scheduled_at: number) => {
      const record = { id, state, scheduled_at, message: "The volume is gone.", ...own, ...resource, ...plan };
      return store.records.put("backup", record as never, 0);
    };
    await end("bkp_1", "available", noon - day);
    await pass(look);
    expect(await receivedTexts(world, 0)).toEqual([]);
    await end("bkp_2", "failed", noon);
    await pass(2 * look);
    const text = expect.stringContaining("The volume is gone.");
    expect(await receivedTexts(world, 1)).toEqual([{ type: "alert.triggered", kind: "backup_failed", text }]);
    await end("bkp_3", "available", noon + 1);
    await pass(2 * look);
    expect((await receivedTexts(world, 2)).slice(1)).toMatchObject([{ type: "alert.resolved", kind: "backup_failed" }]);
  });
});

describe("alerts of several processes and many subjects", () => {
  it("two gateways over one store open one alert and send it once", async () => {
    const [clock, store] = [fakeClock({ startAt: noon }), memoryStore()];
    const first = await open({ clock, store });
    const second = await openAlerting({ webhooks }, { clock, store });
    await first.calls.alerts.createRule({ name: "r", kind: "key_expiring", channels: [first.channel.id] });
    await makeKey(first, { expires_at: new Date(noon + day).toISOString() });
    for (let turn = 0; turn < 4; turn++) await first.pass(look);
    await first.pass(look, () => first.receiver.received.length > 0);
    await first.pass(700_000);
    expect(first.receiver.received).toHaveLength(1);
    expect(await second.calls.alerts.list({})).toMatchObject([{ status: "open", occurrence: 1 }]);
    expect([...first.failures, ...second.failures]).toEqual([]);
  });

  it("a channel holds a hundred messages that wait, and counts what it drops", async () => {
    const world = await open();
    const { calls, channel, pass, receiver } = world;
    receiver.statuses.push(...Array.from({ length: 50 }, () => 503));
    await calls.alerts.createRule({ name: "r", kind: "key_expiring", channels: [channel.id] });
    const expires_at = new Date(noon + day).toISOString();
    for (let index = 0; index < 103; index++) await makeKey(world, { name: `key ${index}`, expires_at });
    const shown = async () => (await calls.alerts.channels({}))[0];
    await pass(look, async () => ((await shown())?.dropped ?? 0) > 2);
    expect(await shown()).toMatchObject({ pending: 100, dropped: 3 });
    expect(await calls.alerts.list({ status: "open" })).toHaveLength(103);
  });

  it("resolved alerts go after thirty days, open ones stay", async () => {
    const world = await open();
    const { calls, pass, store, clock } = world;
    await calls.alerts.createRule({ name: "r", kind: "key_expiring" });
    const expires_at = new Date(noon + day).toISOString();
    const [ended] = [await makeKey(world, { name: "ended", expires_at }), await makeKey(world, { expires_at })];
    await pass(look);
    await calls.ai.changeKey({ key_id: ended.id, expires_at: new Date(noon + 400 * day).toISOString() });
    await pass(700_000);
    const statuses = async () => (await calls.alerts.list({})).map(({ status }) => status).sort();
    expect(await statuses()).toEqual(["open", "resolved"]);
    await forgetOld(store.records, readRetention(), clock.now() + 29 * day);
    expect(await statuses()).toEqual(["open", "resolved"]);
    await forgetOld(store.records, readRetention(), clock.now() + 31 * day);
    expect(await statuses()).toEqual(["open"]);
  });
});
