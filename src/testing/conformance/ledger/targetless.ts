import assert from "node:assert/strict";
import type { Ledger } from "../../../engine/ports/ledger.ts";
import type { ConformanceCase } from "../case.ts";
import { entry } from "./entries.ts";

const always = { from: 0, to: 8.64e15 };

/** The rule about requests without attempts: what was refused, and what the cache answered. */
export const targetlessCase: ConformanceCase<Ledger> = {
  title:
    "a request that nobody was asked for counts under the model that it asked for, unless caller or model is unknown",
  async run(ledger) {
    const refuse = (status: number, model_requested: string) =>
      entry({ id: `evt_${status}`, status, reason: "budget_exceeded", model_requested, attempts: [] });
    const tokens = { saved_prompt_tokens: 30, saved_completion_tokens: 7 };
    const hit = entry({
      id: "evt_hit",
      model_requested: "openai/gpt-5",
      cache: "direct",
      saved: 5,
      ...tokens,
      attempts: [],
    });
    const unnamed = [refuse(401, "any/word"), refuse(404, "no/model"), refuse(403, "x".repeat(257)), refuse(400, "")];
    await ledger.append([refuse(402, "openai/gpt-5"), refuse(429, "alias"), hit, ...unnamed, entry()]);
    const rows = await ledger.query({ ...always, group_by: ["model", "provider"] });
    const reported = rows.map(({ group, requests, failures, saved, saved_prompt_tokens, saved_completion_tokens }) => [
      ...Object.values(group),
      requests,
      failures,
      saved,
      saved_prompt_tokens,
      saved_completion_tokens,
    ]);
    assert.deepEqual(reported, [
      [null, null, 4, 4, 0, 0, 0],
      ["alias", null, 1, 1, 0, 0, 0],
      ["openai/gpt-5", null, 2, 1, 5, 30, 7],
      ["openai/gpt-5", "openai", 1, 0, 0, 0, 0],
    ]);
    const [only] = await ledger.query({ ...always, filters: { model: "alias" } });
    assert.equal(only?.requests, 1);
    const { entries } = await ledger.entries({ limit: 10, filters: { model: "alias" } });
    assert.deepEqual(
      entries.map(({ status, attempts }) => [status, attempts]),
      [[429, []]],
    );
  },
};
