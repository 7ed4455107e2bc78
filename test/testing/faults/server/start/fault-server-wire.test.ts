import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import { isContentRefusal, isContextTooLong } from "../../../../../src/engine/routing/index.ts";
import { behaviours } from "../../../../../src/testing/faults/behaviours/behaviours.ts";
import { firstText, mainText, otherText } from "../../../../../src/testing/faults/behaviours/texts.ts";
import { type FaultServer, startFaultServer } from "../../../../../src/testing/faults/server/start.ts";
import { type Asker, askerOf, type DialectName, paths, question, stream, textOf } from "../../../support/asking.ts";
import { post, readMessage, streamedText, wholeText } from "../../../support/raw.ts";

let faultServer: FaultServer;
let tests = 0;
beforeAll(async () => {
  faultServer = await startFaultServer();
});
afterAll(() => faultServer.close());

describe.each(Object.keys(paths) as DialectName[])("on the wire, %s:", (dialect) => {
  let asker: Asker;
  beforeEach(() => {
    tests += 1;
    asker = askerOf(faultServer, dialect, tests);
  });

  it.each([
    ["steady", mainText],
    ["other", otherText],
  ])("%s answers well, whole and streamed, and ends its messages", async (model, expected) => {
    for (const more of [{}, stream]) {
      const message = await asker.ask(model, more);
      expect(message).toMatchObject({ status: 200, isWhole: true, ending: "closed" });
      expect(textOf(message)).toBe(expected);
    }
  });

  it.each<[string, number | Record<DialectName, number>]>([
    ["unauthorised", 401],
    ["unavailable", 503],
    ["not-found", 404],
    ["bad-request", 400],
    ["context-too-long", 400],
    ["content-refused", 400],
  ])("%s answers %j every time, in the vendor's own form", async (model, status) => {
    for (const more of [{}, stream, {}]) {
      const message = await asker.ask(model, more);
      expect(message).toMatchObject({ status, isWhole: true });
      expect(JSON.parse(message.body.toString()).error.message).toEqual(expect.any(String));
    }
  });
  it("context-too-long and content-refused say so in words that the gateway knows", async () => {
    const errorOf = async (model: string) => {
      const { status, body } = await asker.ask(model);
      const { message, code, type } = JSON.parse(body.toString()).error;
      return new GatewayError("upstream_error", message, { upstream: { status, message, code, type } });
    };
    expect(isContextTooLong(await errorOf("context-too-long"))).toBe(true);
    // Anthropic has no word of its own for it: to the gateway it is the caller's fault, which ends the request just the same.
    expect(isContentRefusal(await errorOf("content-refused"))).toBe(dialect === "openai");
  });
  it.each<[string, number | Record<DialectName, number>]>([
    ["server-error-once", 500],
    ["overloaded-once", { openai: 503, anthropic: 529 }],
    ["rate-limited-bare", 429],
    ["rate-limited-seconds", 429],
    ["rate-limited-date", 429],
  ])("%s answers %j once, then well", async (model, status) => {
    const first = await asker.ask(model);
    expect(first.status).toBe(typeof status === "number" ? status : status[dialect]);
    expect(textOf(await asker.ask(model))).toBe(mainText);
    expect(textOf(await asker.ask(model, stream))).toBe(mainText);
  });
  it("Retry-After is there in seconds, as a date counted from Date, or not at all", async () => {
    expect((await asker.ask("rate-limited-seconds@7")).headers["retry-after"]).toBe("7");
    const { headers } = await asker.ask("rate-limited-date@3");
    expect(Date.parse(headers["retry-after"] as string) - Date.parse(headers.date as string)).toBe(3_000);
    expect((await asker.ask("rate-limited-bare")).headers["retry-after"]).toBeUndefined();
    expect((await asker.ask("rate-limited-long")).headers["retry-after"]).toBe("3600");
    expect((await asker.ask("rate-limited-long")).status).toBe(429);
  });
  it.each([
    ["rate-limited-credential", 429],
    ["unauthorised-credential", 401],
  ])("%s answers %i to the first credential, and well to any other", async (model, status) => {
    const statuses: number[] = [];
    for (const key of ["key-one", "key-two", "key-one", "key-two"])
      statuses.push((await asker.ask(model, {}, { authorization: `Bearer ${key}` })).status);
    expect(statuses).toEqual([status, 200, status, 200]);
  });
  it("flapping answers 503 as often as it is told to, then well", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await asker.ask("flapping@3")).status);
    expect(statuses).toEqual([503, 503, 503, 200, 200]);
  });
  it("a prefill is continued by the one and refused by the other", async () => {
    const messages = [...question, { role: "assistant", content: "So far" }];
    expect(textOf(await asker.ask("prefill-accepts"))).toBe(otherText);
    expect(textOf(await asker.ask("prefill-accepts", { messages }))).toBe(behaviours["prefill-accepts"].text);
    expect((await asker.ask("prefill-refuses")).status).toBe(200);
    expect((await asker.ask("prefill-refuses", { messages })).status).toBe(400);
    const [, , , last] = await asker.log();
    expect(last).toMatchObject({ prefill: "So far", messages: 2, turn: 2 });
  });
  it.each([
    ["html-page", 502],
    ["html-page-ok", 200],
  ])("%s answers %i with HTML", async (model, status) => {
    const message = await asker.ask(model, stream);
    expect(message.status).toBe(status);
    expect(message.headers["content-type"]).toMatch(/^text\/html/);
    expect(message.body.toString()).toMatch(/^<!doctype html>/);
  });
  it("error-in-ok answers 200 with an error", async () => {
    const message = await asker.ask("error-in-ok");
    expect(message.status).toBe(200);
    expect(JSON.parse(message.body.toString()).error.message).toEqual(expect.any(String));
  });
  it("redirect-elsewhere names another address, and notes who goes there", async () => {
    const { status, headers } = await asker.ask("redirect-elsewhere");
    expect(status).toBe(307);
    await post(faultServer.url, { path: headers.location as string, body: {}, headers: { connection: "close" } }).over;
    const [, followed] = await asker.log();
    expect(followed?.behaviour).toBe("elsewhere");
  });
  it("reset-before-headers resets the connection, and not a byte comes back", async () => {
    for (const more of [{}, stream]) {
      const connection = asker.open("reset-before-headers", more);
      expect(await connection.over).toBe("reset");
      expect(connection.pieces).toEqual([]);
    }
  });
  it("reset-once resets the first connection only", async () => {
    expect(await asker.open("reset-once").over).toBe("reset");
    expect(textOf(await asker.ask("reset-once"))).toBe(mainText);
  });
  it("reset-mid-body resets inside the message, before any content of a stream", async () => {
    for (const more of [{}, stream]) {
      const message = await asker.ask("reset-mid-body", more);
      expect(message.ending).toBe("reset");
      expect(message.isWhole).toBe(false);
      if (message.headers["content-type"]?.includes("event-stream")) expect(streamedText(message.body)).toBe("");
    }
  });
  it("silent takes the request and says nothing", async () => {
    const connection = asker.open("silent");
    while ((await asker.log()).length === 0);
    expect(await asker.isSilentAfter(connection, /(?:)/)).toBe(true);
    connection.close();
    expect(connection.pieces).toEqual([]);
  });
  it("silent-at-first is silent as often as it is told to, then answers well", async () => {
    const connections = [asker.open("silent-at-first@2"), asker.open("silent-at-first@2")];
    while ((await asker.log()).length < 2);
    expect(textOf(await asker.ask("silent-at-first@2"))).toBe(mainText);
    for (const { ending } of connections) expect(ending).toBe("open");
    for (const connection of connections) connection.close();
  });
  it("cut-mid-stream closes the connection inside the message", async () => {
    const message = await asker.ask("cut-mid-stream", stream);
    expect(message).toMatchObject({ ending: "closed", isWhole: false });
    expect(streamedText(message.body)).toBe(firstText);
    const whole = await asker.ask("cut-mid-stream");
    expect(whole.body.length).toBeLessThan(Number(whole.headers["content-length"]));
    expect(whole).toMatchObject({ ending: "closed", isWhole: false });
  });
  it("reset-mid-stream resets it there", async () => {
    const message = await asker.ask("reset-mid-stream", stream);
    expect(message).toMatchObject({ ending: "reset", isWhole: false });
    expect(streamedText(message.body)).toBe(firstText);
  });
  it("ends-early ends its message as HTTP wants it, in the middle of what it says", async () => {
    const message = await asker.ask("ends-early", stream);
    expect(message).toMatchObject({ ending: "closed", isWhole: true });
    expect(streamedText(message.body)).toBe(firstText);
    expect(message.body.toString()).not.toMatch(/DONE|message_stop|"stop"|end_turn/);
    const whole = await asker.ask("ends-early");
    expect(whole.isWhole).toBe(true);
    expect(() => wholeText(whole.body)).toThrow(SyntaxError);
  });
  it("stall-mid-stream says half and stays silent with the connection open", async () => {
    const connection = asker.open("stall-mid-stream", stream);
    expect(await asker.isSilentAfter(connection, / and"/)).toBe(true);
    connection.close();
    expect(streamedText(readMessage(connection).body)).toBe(firstText);
    const whole = asker.open("stall-mid-stream");
    expect(await asker.isSilentAfter(whole, /\{/)).toBe(true);
    whole.close();
    expect(readMessage(whole).isWhole).toBe(false);
  });
  it("chatter-only opens, keeps itself alive and says nothing", async () => {
    const connection = asker.open("chatter-only", stream);
    expect(await asker.isSilentAfter(connection, /still here[\s\S]+still here/)).toBe(true);
    connection.close();
    const { status, body } = readMessage(connection);
    expect(status).toBe(200);
    expect(streamedText(body)).toBe("");
  });
  it("gzip sends compressed bytes in several pieces", async () => {
    for (const more of [{}, stream]) {
      const message = await asker.ask("gzip", more);
      expect(message.headers["content-encoding"]).toBe("gzip");
      expect(textOf({ ...message, body: gunzipSync(message.body) })).toBe(mainText);
      expect(message.chunks).toBeGreaterThan(2);
    }
  });
});
