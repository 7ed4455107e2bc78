import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import type { Store } from "../../../../../src/engine/ports/store.ts";
import { createHandler } from "../../../../../src/http/server/handler.ts";
import { createEngine } from "../../../../../src/index.ts";
import { operator } from "../../../../../src/portal/call/operator.ts";
import { createPortal } from "../../../../../src/portal/index.ts";
import { type FakeClock, fakeClock } from "../../../../../src/testing/clock.ts";
import { answerCost, officePrices, providerOf } from "../../../support/areas/ai/office.ts";
import { makePlaces } from "../../../support/places.ts";
import { noon } from "../../../support/rig.ts";

interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function readFrame(text: string): Frame {
  const [id = "", event = "", data = ""] = text.trimEnd().split("\n");
  return { id: id.slice("id: ".length), event: event.slice("event: ".length), data: JSON.parse(data.slice(6)) };
}

/** Lets the log look at the ledger so many times. */
async function looks(clock: FakeClock, times: number) {
  for (let time = 0; time < times; time++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
}

async function open(store: Store = memoryStore(), clock = fakeClock({ startAt: noon })) {
  const engine = createEngine({ providers: [providerOf("one")], store, clock, prices: officePrices() });
  const portal = createPortal({ engine, store, regions: { "eu-1": {} } });
  const token = (await portal.startFirst())?.token ?? "";
  const handle = createHandler({ engine, portal });
  const calls = portal.as({ ...operator, scope: { reseller: "acme", client_id: "c-1" } });
  const key = await calls.ai.createKey({ name: "k", description: "", tier: "standard", user_bound: false });
  const chat = async (value = key.value) => {
    const messages = [{ role: "user" as const, content: "hello" }];
    await engine.chat({ model: "one/large", messages }, { key: value });
  };
  const follow = async ({ query = "", headers = {}, as = token } = {}) => {
    const response = await handle({
      method: "GET",
      path: "/ai/requests/stream",
      query,
      prefix: "",
      headers: { "auth-token": as, region: "eu-1", ...headers },
      isShared: false,
      signal: new AbortController().signal,
      read: async () => ({ kind: "bytes", bytes: Buffer.alloc(0), encoding: undefined }),
    });
    if (typeof response.body === "string" || response.body instanceof Uint8Array)
      return { response, body: JSON.parse(String(response.body)) };
    const frames = response.body[Symbol.asyncIterator]();
    const next = async () => readFrame((await frames.next()).value ?? "");
    return { response, frames, next };
  };
  const tokenOf = async (client_id: string) => {
    const at = portal.as(operator);
    const place = { reseller: "acme", client_id, level: "client" as const };
    await makePlaces(portal, place);
    const user = await at.users.create({ username: client_id, ...place, roles: ["role_administrator"] });
    return (await at.users.createToken({ user_id: user.id, name: "t", permissions: ["*"] })).value;
  };
  return { clock, store, engine, key, chat, follow, tokenOf };
}

describe("the live log", () => {
  it("shows the events of a request in their order, each with its id", async () => {
    const { chat, follow, key } = await open();
    const { response, next } = await follow();
    expect(response.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(await next?.()).toMatchObject({ event: "open", data: { is_incomplete: false } });
    await chat();
    const seen = [await next?.(), await next?.(), await next?.()];
    expect(seen.map((frame) => frame?.event)).toEqual(["planned", "attempted", "settled"]);
    expect(seen[2]?.data).toMatchObject({ type: "settled", status: 200, key_id: key.id, target: "one/large" });
    expect(new Set(seen.map((frame) => frame?.id)).size).toBe(3);
  });

  it("goes on behind `Last-Event-ID`, and says when something is lost", async () => {
    const { chat, follow } = await open();
    const first = await follow({ query: "type=settled" });
    await first.next?.();
    await chat();
    const settled = await first.next?.();
    await first.frames?.return?.();
    await chat();
    const again = await follow({ query: "type=settled", headers: { "last-event-id": settled?.id } });
    expect(await again.next?.()).toMatchObject({ event: "open", data: { is_incomplete: false } });
    const missed = await again.next?.();
    expect(missed).toMatchObject({ event: "settled" });
    expect(missed?.id).not.toBe(settled?.id);
    const elsewhere = await follow({ headers: { "last-event-id": "another.7" } });
    expect(await elsewhere.next?.()).toMatchObject({ event: "open", data: { is_incomplete: true } });
  });

  it("sends at most twenty events in a second, and counts the others", async () => {
    const { chat, clock, follow } = await open();
    const { next } = await follow({ query: "type=settled" });
    await next?.();
    for (let count = 0; count < 25; count++) await chat();
    for (let count = 0; count < 20; count++) expect((await next?.())?.data.dropped).toBeUndefined();
    await clock.advance(1_000);
    await chat();
    expect((await next?.())?.data).toMatchObject({ type: "settled", dropped: 5 });
  });

  it("shows what another process over the store has settled, once, and nothing of before", async () => {
    const { chat, clock, store, follow, key } = await open();
    const other = createEngine({ providers: [providerOf("one")], store, clock, prices: officePrices() });
    const messages = [{ role: "user" as const, content: "hello" }];
    const chatThere = () => other.chat({ model: "one/small", messages }, { key: key.value });
    await chatThere();
    const { next } = await follow({ query: "type=settled" });
    await next?.();
    await looks(clock, 1);
    await Promise.all([chatThere(), chat()]);
    await looks(clock, 4);
    await chat();
    const seen = [await next?.(), await next?.(), await next?.()].map((frame) => frame?.data);
    expect(seen.map((data) => data?.model_requested)).toEqual(["one/large", "one/small", "one/large"]);
    const settled = { type: "settled", request_type: "chat_completion", status: 200, reason: "ok", key_id: key.id };
    expect(seen[1]).toMatchObject({ ...settled, target: "one/small", cost: answerCost });
    expect(new Set(seen.map((data) => data?.event_id)).size).toBe(3);
    await other.close();
  });

  it("shows a tenant the events of its own keys only", async () => {
    const { chat, follow, key, tokenOf } = await open();
    const [own, other] = [await tokenOf("c-1"), await tokenOf("c-2")];
    const mine = await follow({ as: own });
    const theirs = await follow({ as: other });
    await Promise.all([mine.next?.(), theirs.next?.()]);
    const waiting = theirs.next?.().then(() => "an event");
    await chat();
    expect(await mine.next?.()).toMatchObject({ event: "settled", data: { key_id: key.id } });
    expect(await Promise.race([waiting, Promise.resolve("none")])).toBe("none");
  });

  it("is open three times for a user at most, ends after five minutes, and with the gateway", async () => {
    const { clock, engine, follow } = await open();
    const streams = [await follow(), await follow(), await follow()];
    for (const { next } of streams) await next?.();
    const refused = await follow();
    expect([refused.response.status, refused.body?.error.type]).toEqual([429, "concurrency_limited"]);
    await streams[0]?.frames?.return?.();
    const fourth = await follow();
    await fourth.next?.();
    const end = streams[1]?.frames?.next();
    await clock.advance(5 * 60_000);
    expect(await end).toMatchObject({ done: true });
    const last = await follow();
    await last.next?.();
    const drained = last.frames?.next();
    await engine.close();
    await clock.advance(1_000);
    expect(await drained).toMatchObject({ done: true });
  });
});
