import { expect, it } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import type { Budget } from "../../../../../src/engine/api/governance.ts";
import { scriptedEngine } from "../../../../../src/testing/index.ts";
import { answer, messages } from "../../../support/support.ts";

const answers = [answer("1"), answer("2"), answer("3")];
const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
const daily = (max_limit: number, enforcement: Budget["enforcement"] = "hard") => {
  return { max_limit, reset_duration: "1d" as const, enforcement };
};

it("a budget that is used up stays so when another one of the same window is set in front of it, or taken away", async () => {
  const engine = scriptedEngine({ "a/m": answers }, { store: memoryStore() });
  const rate_limits = [{ request_max_limit: 1, request_reset_duration: "1h" as const }];
  const { key, value } = await engine.keys.create({ name: "k", rate_limits, provider_configs });
  const ask = () => engine.chat({ model: "a/m", messages }, { key: value });
  await ask();
  const wider = { request_max_limit: 9, request_reset_duration: "1h" as const };
  await engine.keys.update(key.id, { rate_limits: [wider, ...rate_limits] });
  await expect(ask()).rejects.toMatchObject({ code: "request_limited" });
  expect(await engine.usage.limits(key.id)).toMatchObject([
    { max: 9, used: 1, left: 8, is_used_up: false },
    { max: 1, used: 1, left: 0, is_used_up: true },
  ]);
  expect([...(await engine.usage.limited([{ key }]))]).toEqual([key.id]);
  await engine.keys.update(key.id, { rate_limits });
  await expect(ask()).rejects.toMatchObject({ code: "request_limited" });
  await engine.keys.update(key.id, { rate_limits: [wider] });
  await ask();
  expect(await engine.usage.limits(key.id)).toMatchObject([{ max: 9, used: 2 }]);
});

it("counts of a store in which equal limits were counted apart go on with all that their owner used", async () => {
  const store = memoryStore();
  const first = scriptedEngine({ "a/m": answers }, { store });
  const budgets = [daily(9), daily(5), daily(4, "soft")];
  const { key } = await first.keys.create({ name: "k", budgets, provider_configs });
  const window = { start: first.clock.now(), end: first.clock.now() + 86_400_000 };
  const name = `key/${key.id}/cost/1d`;
  const standings = [
    { counter: name, used: 3e9, ...window },
    { counter: `${name}/2`, used: 1e9, ...window },
  ];
  const ledger = { ...store.ledger, recover: () => ({ counterValues: standings, entries: [] }) };
  const next = scriptedEngine({ "a/m": answers }, { store: { ...store, ledger } });
  expect(await next.usage.limits(key.id)).toMatchObject(
    [
      [9, true],
      [5, true],
      [4, false],
    ].map(([dollars, isHard]) => ({ max: Number(dollars), max_nano: Number(dollars) * 1e9, is_hard: isHard, used: 3 })),
  );
});
