import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { httpClient } from "../../../adapters/shared/http/client.ts";
import { readJson } from "../../../src/http/body.ts";
import { afterTurnEnd, turnEnd } from "../../../src/ports/turn.ts";

test("whoever waits in a turn goes on when it ends, a step of all before the next step of any", async () => {
  const seen: string[] = [];
  const go = async (name: string) => {
    await turnEnd();
    seen.push(`${name}1`);
    await undefined;
    seen.push(`${name}2`);
  };
  const all = [go("a"), go("b")];
  await Promise.resolve().then(() => all.push(go("c")));
  expect(seen).toEqual([]);
  await Promise.all(all);
  expect(seen).toEqual(["a1", "b1", "c1", "a2", "b2", "c2"]);
});

test("who waits behind the end of a turn waits for that of the next", async () => {
  const seen: string[] = [];
  const first = turnEnd();
  const next = first.then(() => turnEnd()).then(() => seen.push("next"));
  await first;
  await nextTurn();
  expect(turnEnd()).not.toBe(first);
  await next;
  expect(seen).toEqual(["next"]);
});

test("what is left to the end of a turn is done in it, behind all that the turn's waiters do up to their next wait", async () => {
  const seen: string[] = [];
  const go = async (name: string) => {
    await turnEnd();
    setImmediate(() => seen.push("next turn"));
    afterTurnEnd(() => seen.push(`late ${name}`));
    await undefined;
    seen.push(name);
  };
  await Promise.all([go("a"), go("b")]);
  await nextTurn();
  expect(seen).toEqual(["a", "b", "late a", "late b", "next turn", "next turn"]);
});

test("it is done at the end of the turn where nobody waits for that", async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push("an immediate before"));
  afterTurnEnd(() => seen.push("late"));
  setImmediate(() => seen.push("an immediate behind"));
  await nextTurn();
  expect(seen).toEqual(["an immediate before", "late", "an immediate behind"]);
});

test("one that throws keeps no other from its turn", async () => {
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  const caught = new Promise((resolve) => process.once("uncaughtException", resolve));
  try {
    const done = turnEnd().then(() => {
      afterTurnEnd(() => {
        throw new Error("the first");
      });
      return new Promise<void>((resolve) => afterTurnEnd(resolve));
    });
    expect(await caught).toMatchObject({ message: "the first" });
    await done;
  } finally {
    for (const listener of listeners) process.on("uncaughtException", listener);
  }
});

test("a body is parsed, and an answer read, at the end of the turn that brought it", async () => {
  const seen: string[] = [];
  const body = { kind: "bytes", bytes: Buffer.from("{}"), encoding: undefined };
  const request = { headers: { "content-type": "application/json" }, read: async () => body };
  const transport = { whole: async () => ({ status: 200, headers: {}, body: "{}" }) };
  const client = httpClient({ provider: "acme", baseUrl: "http://acme.test", transport: transport as never });
  const call = { timeouts: { connect: 1, firstContent: 1, gap: 1, whole: 1 }, startedAt: 0 };
  const parsed = readJson(request as never, 10).then(() => seen.push("body"));
  const answered = client.post("/", {}, call as never).then(() => seen.push("answer"));
  for (let step = 0; step < 50; step++) await undefined;
  expect(seen).toEqual([]);
  await Promise.all([parsed, answered]);
  expect(seen).toEqual(["body", "answer"]);
});
