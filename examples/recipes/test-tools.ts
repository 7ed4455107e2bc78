import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "tollgate";
import { scriptedEngine } from "tollgate/testing";

const model = "openai/gpt-5-mini";
const stock: Readonly<Record<string, number>> = { lamp: 3 };

/** The function under test: answers with what a tool says, in at most three turns. */
async function answer(engine: Engine, question: string) {
  const messages = [{ role: "user" as const, content: question }];
  const run = ({ item }: { item?: string }) => {
    const count = stock[item ?? ""];
    if (count === undefined) throw new Error(`There is no ${item}.`);
    return { count };
  };
  const tools = [{ name: "stock", description: "How many of an item there are", run }];
  const { turns, ended } = await engine.runTools({ model, messages, tools }, { maxTurns: 3 });
  return { text: turns.at(-1)?.text, ended };
}

test("runs the tool that the model calls, and sends it the result", async () => {
  const engine = scriptedEngine({
    [model]: [
      { kind: "answer", calls: [{ name: "stock", arguments: { item: "lamp" } }] },
      { kind: "answer", text: "Three lamps." },
    ],
  });
  assert.deepEqual(await answer(engine, "How many lamps?"), { text: "Three lamps.", ended: "completed" });
  const [, second] = engine.requests; // what the model was sent, request by request
  assert.ok(second?.verb === "chat");
  assert.equal(second.request.messages.at(-1)?.content, '{"count":3}');
});

test("a tool that fails is an answer, which the model reads", async () => {
  const engine = scriptedEngine({
    [model]: [
      { kind: "answer", calls: [{ name: "stock", arguments: { item: "unicorn" } }] },
      { kind: "answer", text: "None." },
    ],
  });
  assert.equal((await answer(engine, "How many unicorns?")).text, "None.");
  assert.match(JSON.stringify(engine.requests[1]), /There is no unicorn/);
});

test("a model that calls without end is stopped", async () => {
  const calls = [{ name: "stock", arguments: { item: "lamp" } }];
  const engine = scriptedEngine({ [model]: [{ kind: "answer", calls }] }); // the last step repeats
  assert.equal((await answer(engine, "How many lamps?")).ended, "max_turns");
  assert.equal(engine.calls.length, 3);
});
