import type { IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { httpClient } from "../../../../adapters/shared/http/client.ts";
import { afterPromises, afterTurnEnd, turnEnd } from "../../../../src/engine/runtime/loop-turn.ts";
import { beginBody, readBody } from "../../../../src/http/server/node-body.ts";

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

test("what waits for the promises is done behind all of them, in its order, with what comes meanwhile", async () => {
  const seen: string[] = [];
  const go = async (name: string) => {
    await turnEnd();
    afterPromises(() => {
      seen.push(`send ${name}`);
      afterPromises(() => seen.push(`behind ${name}`));
    });
    for (let step = 0; step < 5; step++) await undefined;
    seen.push(name);
  };
  setImmediate(() => seen.push("next turn"));
  await Promise.all([go("a"), go("b")]);
  await nextTurn();
  expect(seen).toEqual(["next turn", "a", "b", "send a", "send b", "behind a", "behind b"]);
});

test.each([
  ["the end of a turn", afterTurnEnd],
  ["the promises", afterPromises],
])("one that throws behind %s keeps no other from its turn", async (_moment, after) => {
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  const caught = new Promise((resolve) => process.once("uncaughtException", resolve));
  try {
    const done = turnEnd().then(() => {
      after(() => {
        throw new Error("the first");
      });
      return new Promise<void>((resolve) => after(resolve));
    });
    expect(await caught).toMatchObject({ message: "the first" });
    await done;
  } finally {
    for (const listener of listeners) process.on("uncaughtException", listener);
  }
});

/** A request of node:http, as far as its body is read, that has come whole in this turn. */
function requestOf(body: string): IncomingMessage {
  const headers = { "content-length": String(body.length) };
  return Object.assign(Readable.from([Buffer.from(body)], { objectMode: false }), { headers, complete: true }) as never;
}

/** Reads as many bytes, without other bounds. */
const upTo = (limit: number) => ({ limit, resize: () => {}, onLate: () => undefined });

/** Lets everything go on that does not wait for the end of the turn. */
async function settle(): Promise<void> {
  for (let step = 0; step < 20; step++) await new Promise<void>((resolve) => process.nextTick(resolve));
}

test("a body is handed over, and an answer read, at the end of the turn that brought it", async () => {
  const seen: string[] = [];
  const transport = { whole: async () => ({ status: 200, headers: {}, body: "{}" }) };
  const client = httpClient({ provider: "acme", baseUrl: "http://acme.test", transport: transport as never });
  const call = { timeouts: { connect: 1, firstContent: 1, gap: 1, whole: 1 }, startedAt: 0 };
  const read = readBody(requestOf("{}"), upTo(10)).then(() => seen.push("body"));
  const answered = client.post("/", {}, call as never).then(() => seen.push("answer"));
  await settle();
  expect(seen).toEqual([]);
  await Promise.all([read, answered]);
  expect(seen.sort()).toEqual(["answer", "body"]);
});

test("a short body is read before anybody asks for it, and whoever asks at the end of its turn has it in that turn", async () => {
  const req = requestOf("{}");
  const begun = beginBody(req);
  await settle();
  expect(req.readableEnded).toBe(true);
  const seen: string[] = [];
  await turnEnd();
  afterTurnEnd(() => seen.push("end"));
  await readBody(req, upTo(10), begun).then(() => seen.push("body"));
  await nextTurn();
  expect(seen).toEqual(["body", "end"]);
  await expect(readBody(req, upTo(1), begun)).rejects.toMatchObject({ code: "request_too_large" });
});

test("what is short and begun but not here at the end of the turn is handed over at the end of its own", async () => {
  const req = Object.assign(new PassThrough(), { headers: { "content-length": "2" }, complete: false });
  const asked = readBody(req as never, upTo(10), beginBody(req as never));
  await nextTurn();
  const seen: string[] = [];
  const read = asked.then(() => seen.push("body"));
  req.complete = true;
  req.end("{}");
  await settle();
  expect(seen).toEqual([]);
  await read;
});

test.each([
  ["a long body", { "content-length": "65537" }],
  ["one of unknown length", { "transfer-encoding": "chunked" }],
])("%s is not begun before anybody asks", async (_what, headers) => {
  const req = Object.assign(requestOf("{}"), { headers });
  expect(beginBody(req)).toBe(undefined);
  await settle();
  expect(req.readableFlowing).toBe(null);
});

test("one that breaks off while nobody has asked is nobody's failure", async () => {
  const req = Object.assign(new PassThrough(), { headers: { "content-length": "2" }, complete: false });
  const begun = beginBody(req as never);
  req.destroy();
  await nextTurn();
  await nextTurn();
  await expect(begun).rejects.toMatchObject({ code: "request_cancelled" });
});
