import assert from "node:assert/strict";
import { test } from "node:test";
import { type Engine, textOf } from "tollgate";
import { scriptedEngine } from "tollgate/testing";

/** The function under test: a title for a text, by a second model where the first one fails. */
async function titleOf(engine: Engine, text: string): Promise<string> {
  const messages = [{ role: "user" as const, content: `A title for: ${text}` }];
  return textOf(await engine.chat({ model: "openai/gpt-5-mini", fallbacks: ["anthropic/claude-haiku-4-5"], messages }));
}

test("takes the second model when the first one is down", async () => {
  const engine = scriptedEngine({
    "openai/gpt-5-mini": [{ kind: "fail", status: 503 }],
    "anthropic/claude-haiku-4-5": [{ kind: "answer", text: "Tolls" }],
  });
  assert.equal(await titleOf(engine, "a text"), "Tolls");
  assert.equal(engine.calls.at(-1), "anthropic/claude-haiku-4-5");
});

test("waits for no back-off: the engine's clock is virtual", async () => {
  const engine = scriptedEngine({
    "openai/gpt-5-mini": [
      { kind: "fail", status: 429, retryAfterMs: 1_500 },
      { kind: "answer", text: "Gates" },
    ],
  });
  const before = engine.clock.now();
  assert.equal(await titleOf(engine, "a text"), "Gates");
  assert.ok(engine.clock.now() - before >= 1_500);
});
