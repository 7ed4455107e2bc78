import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../../../../../adapters/stores/sqlite/index.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Store } from "../../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../../src/index.ts";
import { createPortal, operator } from "../../../../../src/portal/index.ts";
import { officePrices, providerOf } from "../../../support/areas/ai/office.ts";

const messages = [{ role: "user", content: "hello" }] as const;
const broken = {
  ...providerOf("one"),
  name: "broken",
  chat: () => {
    throw new GatewayError("upstream_error", "No.", { upstream: { status: 500, message: "no" } });
  },
};

/** The path of a store file that is gone after the test. */
function freshFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-routes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "routes.db");
}

function open(store: Store) {
  const engine = createEngine({
    ...{ store, providers: [providerOf("one"), providerOf("two"), broken], prices: officePrices() },
    retry: { retries: 0 },
    circuit: { consecutive: 1 },
    rules: [{ name: "spare", use: { fallbacks: ["two/large"] } }],
  });
  const portal = createPortal({ engine, store, secret: "a secret of the tests" });
  return { engine, portal: portal.as(operator), close: () => engine.close().then(() => store.close()) };
}

it("after a restart, a request's page still has its plan, the rule, and who was not asked and why", async () => {
  const file = freshFile();
  const first = open(sqliteStore(file));
  const ask = (eventId: string, model: string, fallbacks: string[]) =>
    first.engine.chat({ model, fallbacks, messages: [...messages] }, { eventId });
  await ask("evt_1", "one/large", ["nobody/large"]);
  await ask("evt_2", "broken/large", []); // opens the circuit
  await ask("evt_3", "broken/large", []);
  await first.close();
  const { portal, close } = open(sqliteStore(file));
  onTestFinished(close);
  expect(await portal.ai.request({ event_id: "evt_1" })).toMatchObject({
    rule: "spare",
    plan: ["one/large", "two/large"],
    skipped: [{ entry: "nobody/large", reason: "provider_not_found", message: expect.stringContaining("nobody") }],
    attempts: [{ model: "one/large", status: 200 }],
  });
  expect(await portal.ai.request({ event_id: "evt_2" })).toMatchObject({
    skipped: [],
    attempts: [{ model: "broken/large" }, { model: "two/large", status: 200 }],
  });
  expect(await portal.ai.request({ event_id: "evt_3" })).toMatchObject({
    plan: ["broken/large", "two/large"],
    skipped: [{ entry: "broken/large", reason: "circuit_open" }],
    attempts: [{ model: "two/large", status: 200 }],
  });
});

it("what is kept of a route is bounded, and says how much was left out", async () => {
  const { engine, close } = open(sqliteStore(":memory:"));
  onTestFinished(close);
  const fallbacks = Array.from({ length: 14 }, (_, nth) => `nobody-${nth}-${"x".repeat(200)}/model`);
  await engine.chat({ model: "one/large", fallbacks, messages: [...messages] });
  const [entry] = (await engine.usage.entries({ limit: 1 })).entries;
  expect(entry?.route).toMatchObject({ targets: ["one/large", "two/large"], omitted: 6 });
  expect(entry?.route?.skipped).toHaveLength(8);
  expect(JSON.stringify(entry?.route).length).toBeLessThan(4_000);
});

it("a request whose attempts tell its whole route has none in the ledger, and its page has the plan", async () => {
  const store = sqliteStore(":memory:");
  const engine = createEngine({ store, providers: [providerOf("one")], prices: officePrices() });
  onTestFinished(() => engine.close());
  await engine.chat({ model: "one/large", messages: [...messages] }, { eventId: "evt_1" });
  expect((await engine.usage.entries({ limit: 1 })).entries[0]?.route).toBeUndefined();
  const portal = createPortal({ engine, store, secret: "a secret of the tests" }).as(operator);
  const shown = await portal.ai.request({ event_id: "evt_1" });
  expect(shown).toMatchObject({ plan: ["one/large"], skipped: [] });
  expect(shown).not.toHaveProperty("rule");
});
