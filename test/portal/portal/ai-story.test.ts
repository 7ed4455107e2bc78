import { describe, expect, it } from "vitest";
import { ask, chat, openStory, world } from "../support/ai-rig.ts";
import { answerCost } from "../support/areas/ai/office.ts";
import { openGateway } from "../support/gateway.ts";
import { stores } from "../support/rig.ts";

describe.each(stores)("the AI area over HTTP: %s", (_name, open) => {
  it("a request is found in the list and on its own, with a bill that adds up, and not by another tenant", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, project, key } = await openStory(gateway);
    const event = await chat(gateway, key.value);
    const [listed, ...more] = await ask(gateway, "GET /ai/requests", { token: client });
    expect(more).toEqual([]);
    expect(listed).toMatchObject({
      event_id: event,
      model_requested: "one/large",
      model: "one/large",
      provider: "one",
      key: { id: key.id, name: "website" },
      project: { id: project.id, name: "shop" },
      status: 200,
      reason: "ok",
      prompt_tokens: 1_000,
      completion_tokens: 500,
      cost: answerCost,
      price: answerCost,
      attempt_count: 1,
    });
    const detail = await ask(gateway, `GET /ai/requests/${event}`, { token: client });
    expect(detail).toMatchObject(listed);
    const items: { unit: string; quantity: number; rate: number; amount: number }[] = detail.attempts[0].items;
    expect(items.map(({ unit }) => unit)).toEqual(["input_tokens", "output_tokens"]);
    for (const { quantity, rate, amount } of items) expect(quantity * rate).toBeCloseTo(amount, 12);
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(detail.cost, 12);
    expect(await ask(gateway, "GET /ai/requests", { token: other })).toEqual([]);
    await ask(gateway, `GET /ai/requests/${event}`, { token: other, status: 404 });
    const [shown] = await ask(gateway, "GET /ai/keys", { token: client });
    expect(shown).toMatchObject({ id: key.id, last4: key.value.slice(-4), created_at: "2026-11-20T12:00:00.000Z" });
    const one = await ask(gateway, `GET /ai/keys/${key.id}`, { token: client });
    expect(one).toMatchObject({ last4: shown.last4, created_at: shown.created_at, last_used_at: listed.at });
    expect(await ask(gateway, `GET /ai/requests?key_id=${key.id}`, { token: other })).toEqual([]);
  });

  it("a request goes on showing the names of its key and project after these were deleted", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, project, key } = await openStory(gateway);
    await chat(gateway, key.value);
    await ask(gateway, `DELETE /ai/keys/${key.id}`, { token: other, status: 404 });
    await ask(gateway, `DELETE /ai/keys/${key.id}`, { token: client, status: 204 });
    await ask(gateway, `DELETE /ai/project/${project.id}`, { token: client, status: 204 });
    const [listed] = await ask(gateway, "GET /ai/requests", { token: client });
    expect(listed).toMatchObject({ key: { id: key.id, name: "website" }, project: { id: project.id, name: "shop" } });
    expect(await ask(gateway, "GET /ai/requests", { token: other })).toEqual([]);
  });

  it("requests come in pages, and by every filter, refused ones included", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, key } = await openStory(gateway);
    const events: string[] = [];
    for (const model of ["one/large", "two/large", "one/small", "two/large"])
      events.unshift(await chat(gateway, key.value, { model }));
    events.unshift(await chat(gateway, key.value, { model: "nowhere/large", status: 404 }));
    const idsOf = (rows: { event_id: string }[]) => rows.map(({ event_id }) => event_id);
    const seen: string[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const path = `/ai/requests?limit=2${after && `&after=${after}`}`;
      const page = await gateway.ask({ method: "GET", path, headers: { "auth-token": client } });
      seen.push(...idsOf(page.body as { event_id: string }[]));
      after = page.headers["x-tg-next"];
    }
    expect(seen).toEqual(events);
    const filtered = async (query: string) => idsOf(await ask(gateway, `GET /ai/requests?${query}`, { token: client }));
    expect(await filtered("provider=two")).toEqual([events[1], events[3]]);
    expect(await filtered("model=one/large,one/small")).toEqual([events[2], events[4]]);
    expect(await filtered("status=404")).toEqual([events[0]]);
    expect(await filtered("reason=provider_not_found")).toEqual([events[0]]);
    expect(await filtered(`event_id=${events[3]}`)).toEqual([events[3]]);
    expect(await filtered("min_cost=0.001")).toEqual(events.slice(1));
    expect(await filtered("to=2026-11-20T12:00:00Z")).toEqual([]);
    await ask(gateway, "GET /ai/requests?after=x", { token: client, status: 400 });
    await ask(gateway, "GET /ai/requests?limit=0", { token: client, status: 400 });
  });

  it("usage adds up to the requests, by any group, in the calendar of any zone", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, key } = await openStory(gateway);
    for (const model of ["one/large", "one/large", "two/large"]) await chat(gateway, key.value, { model });
    await gateway.clock.advance(11.5 * 3_600_000); // 23:30 in UTC, half past midnight in Rome
    await chat(gateway, key.value, { model: "two/large" });
    const span = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z";
    const read = (query: string, token = client) => ask(gateway, `GET /ai/usage?${span}&${query}`, { token });
    const [total, ...none] = await read("");
    expect(none).toEqual([]);
    expect(total).toMatchObject({ group: {}, requests: 4, failures: 0, prompt_tokens: 4_000 });
    expect(total.cost).toBeCloseTo(4 * answerCost, 12);
    const rows = await read("group_by=model&interval=day&timezone=Europe/Rome&order=requests");
    expect(rows).toMatchObject([
      { at: "2026-11-19T23:00:00.000Z", group: { model: "one/large" }, requests: 2 },
      { at: "2026-11-19T23:00:00.000Z", group: { model: "two/large" }, requests: 1 },
      { at: "2026-11-20T23:00:00.000Z", group: { model: "two/large" }, requests: 1 },
    ]);
    const limited = await read("group_by=provider,model&limit=1&order=requests");
    expect(limited).toMatchObject([{ requests: 2 }, { is_other: true, group: {}, requests: 2 }]);
    expect(await read("", other)).toEqual([]);
    await ask(gateway, `GET /ai/usage?${span}&interval=day&timezone=Nowhere`, { token: client, status: 400 });
    await ask(gateway, `GET /ai/usage?${span}&group_by=colour`, { token: client, status: 400 });
  });

  it("the limits of a key are shown with those above it, until nothing is left", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, project, key } = await openStory(gateway);
    const budgets = [{ max_limit: 0.003, reset_duration: "1M" }];
    await ask(gateway, `PATCH /ai/keys/${key.id}`, { token: client, body: { budgets } });
    const rate_limits = [{ request_max_limit: 10, request_reset_duration: "1h" }];
    await ask(gateway, `PATCH /ai/project/${project.id}`, { token: client, body: { rate_limits }, status: 204 });
    await chat(gateway, key.value);
    const read = () => ask(gateway, `GET /ai/limits?key_id=${key.id}`, { token: client });
    const chain = await read();
    const budget = chain.find(({ unit }: { unit: string }) => unit === "cost");
    expect(budget).toMatchObject({ level: "key", owner: { id: key.id, name: "website" }, max: 0.003, used: 0.002 });
    expect(budget.left).toBeCloseTo(0.001, 12);
    const window = chain.find(({ unit }: { unit: string }) => unit === "requests");
    expect(window).toMatchObject({ level: "project", owner: { id: project.id, name: "shop" }, max: 10, used: 1 });
    await ask(gateway, `GET /ai/limits?key_id=${key.id}`, { token: other, status: 404 });
    await ask(gateway, "GET /ai/limits", { token: client, status: 400 });
  });

  it("the plan of a key says who would be asked, at which cost, and why others are not", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, other, key } = await openStory(gateway);
    const body = {
      model: "one/large",
      fallbacks: ["two/large", "nowhere/x"],
      key_id: key.id,
      prompt_tokens: 1_000_000,
    };
    const plan = await ask(gateway, "POST /ai/plan", { token: client, body });
    expect(plan.targets).toMatchObject([
      { target: "one/large", provider: "one", expected_cost: 1 },
      { target: "two/large", provider: "two", expected_cost: 1 },
    ]);
    expect(plan.skipped).toMatchObject([{ entry: "nowhere/x", reason: "provider_not_found" }]);
    await ask(gateway, "POST /ai/plan", { token: other, body, status: 404 });
    await ask(gateway, "POST /ai/plan", { token: client, body: { model: "one/large" }, status: 400 });
    expect(await ask(gateway, "POST /ai/plan", { body: { model: "one/large" } })).toMatchObject({ skipped: [] });
    const { entries } = await ask(gateway, "GET /audit?limit=1000");
    expect(entries.map(({ operation }: { operation: string }) => operation)).not.toContain("ai.plan");
  });

  it("health tells what was asked in the last hour", async () => {
    const gateway = await openGateway(await open(), undefined, world());
    const { client, key } = await openStory(gateway);
    await chat(gateway, key.value);
    const read = () => ask(gateway, "GET /ai/health", { token: client });
    const once = { requests: 1, failures: 0 };
    expect(await read()).toMatchObject([
      { target: "one/large", state: "closed", last_5_minutes: once, last_hour: once, latency_p50: 1, latency_p95: 1 },
    ]);
    await gateway.clock.advance(10 * 60_000);
    expect(await read()).toMatchObject([{ last_5_minutes: { requests: 0 }, last_hour: once }]);
    await gateway.clock.advance(60 * 60_000);
    expect(await read()).toMatchObject([{ last_hour: { requests: 0 } }]);
  });
});
