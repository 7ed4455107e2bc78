import assert from "node:assert/strict";
import { test } from "node:test";
import { type Engine, textOf } from "tollgate";
import { scriptedEngine } from "tollgate/testing";

const [first, second] = ["openai/gpt-5-mini", "anthropic/claude-haiku-4-5"];

/** The function under test: writes a stream piece by piece; a second vendor stands in for the first. */
async function tell(engine: Engine, write: (piece: string) => void): Promise<void> {
  const messages = [{ role: "user" as const, content: "What is a toll?" }];
  for await (const chunk of await engine.streamChat({ model: first, fallbacks: [second], messages }))
    write(textOf(chunk));
}

async function read(engine: Engine): Promise<string> {
  let text = "";
  await tell(engine, (piece) => {
    text += piece;
  });
  return text;
}

test("a vendor that is silent for too long is left for the next one, on a clock of its own", async () => {
  const engine = scriptedEngine({
    [first]: [{ kind: "answer", text: "A fee.", pauseMs: 90_000 }],
    [second]: [{ kind: "answer", text: "A charge.", pauseMs: 200 }],
  });
  const start = engine.clock.now();
  assert.equal(await read(engine), "A charge.");
  assert.deepEqual(engine.calls, [first, second]);
  assert.ok(engine.clock.now() - start >= 60_000); // the deadline of a first content
});

test("a stream that is cut goes on at the next vendor, and no word comes twice", async () => {
  const text = "A fee for the road.";
  const engine = scriptedEngine({
    [first]: [{ kind: "break", text, after: 2, pauseMs: 500 }],
    [second]: [{ kind: "answer", text }],
  });
  assert.equal(await read(engine), text);
  assert.deepEqual(engine.calls, [first, second]);
});

test("half an answer is a failure where no vendor can go on", async () => {
  const engine = scriptedEngine({
    [first]: [{ kind: "silence", text: "A fee for the road.", after: 2 }], // two words, and then nothing
    [second]: [{ kind: "fail", status: 503 }],
  });
  await assert.rejects(read(engine), { code: "upstream_timeout" });
});
