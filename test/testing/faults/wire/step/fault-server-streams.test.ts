import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { behaviours, parseFaultModel } from "../../../../../src/testing/faults/behaviours/behaviours.ts";
import { firstText, mainText } from "../../../../../src/testing/faults/behaviours/texts.ts";
import { type FaultServer, startFaultServer } from "../../../../../src/testing/faults/server/start.ts";
import { crumble } from "../../../../../src/testing/faults/wire/step.ts";
import { type Asker, askerOf, type DialectName, paths, stream, textOf } from "../../../support/asking.ts";
import { eventsOf, streamedText, wholeText } from "../../../support/raw.ts";

let faultServer: FaultServer;
let tests = 0;
beforeAll(async () => {
  faultServer = await startFaultServer();
});
afterAll(() => faultServer.close());

const finishes = { openai: /"finish_reason":"/, anthropic: /"stop_reason":"/ } as const;
const markers = { openai: /\[DONE\]/, anthropic: /message_stop/ } as const;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.keys(paths) as DialectName[])("in streams, %s:", (dialect) => {
  let asker: Asker;
  beforeEach(() => {
    tests += 1;
    asker = askerOf(faultServer, dialect, tests);
  });
  const readable = (body: Buffer) => eventsOf(body).filter((data) => isJson(data));

  it("a good stream has one reason for its end and one end marker", async () => {
    const { body } = await asker.ask("steady", stream);
    expect(eventsOf(body).filter((data) => finishes[dialect].test(data))).toHaveLength(1);
    expect(eventsOf(body).filter((data) => markers[dialect].test(data))).toHaveLength(1);
  });
  it("usage comes when it is asked for, and in Anthropic's dialect always", async () => {
    const plain = await asker.ask("steady", stream);
    const full = await asker.ask("steady", { ...stream, stream_options: { include_usage: true } });
    expect(/completion_tokens|output_tokens/.test(plain.body.toString())).toBe(dialect === "anthropic");
    expect(full.body.toString()).toMatch(/completion_tokens|output_tokens/);
  });
  it("malformed-event holds exactly one event that is no JSON, and all of the text", async () => {
    const { body } = await asker.ask("malformed-event", stream);
    const unreadable = eventsOf(body).filter((data) => !isJson(data) && data !== "[DONE]");
    expect(unreadable).toHaveLength(1);
    expect(streamedText(body)).toBe(mainText);
    const whole = await asker.ask("malformed-event");
    expect(whole).toMatchObject({ status: 200, isWhole: true });
    expect(isJson(whole.body.toString())).toBe(false);
  });
  it("no-end-marker has a reason for its end and no marker", async () => {
    const { body, isWhole } = await asker.ask("no-end-marker", stream);
    expect(streamedText(body)).toBe(mainText);
    expect(body.toString()).toMatch(finishes[dialect]);
    expect(body.toString()).not.toMatch(markers[dialect]);
    expect(isWhole).toBe(true);
  });
  it("no-finish-reason has a marker and no reason for its end", async () => {
    const { body } = await asker.ask("no-finish-reason", stream);
    expect(streamedText(body)).toBe(firstText);
    expect(body.toString()).not.toMatch(finishes[dialect]);
    expect(body.toString()).toMatch(markers[dialect]);
  });
  it.each([
    ["error-first", ""],
    ["error-mid-stream", firstText],
  ])("%s reports an error after %j", async (model, text) => {
    const { status, body } = await asker.ask(model, stream);
    expect(status).toBe(200);
    expect(streamedText(body)).toBe(text);
    const last = JSON.parse(eventsOf(body).at(-1) as string);
    expect(last.error.message).toEqual(expect.any(String));
  });
  it("duplicate-chunks says every word twice and ends twice", async () => {
    const { body } = await asker.ask("duplicate-chunks", stream);
    expect(streamedText(body)).toBe(behaviours["duplicate-chunks"].text);
    expect(eventsOf(body).filter((data) => markers[dialect].test(data))).toHaveLength(2);
  });
  it("invalid-utf8 holds bytes that no UTF-8 has, inside JSON that is else in order", async () => {
    for (const more of [{}, stream]) {
      const message = await asker.ask("invalid-utf8", more);
      expect(message.body.includes(Buffer.from([0xff, 0xfe]))).toBe(true);
      expect(textOf(message)).toBe(behaviours["invalid-utf8"].text);
      expect(behaviours["invalid-utf8"].text).toContain("\ufffd");
    }
  });
  it("cut-tool-arguments closes the connection when the arguments are half there", async () => {
    const { body, ending, isWhole } = await asker.ask("cut-tool-arguments", stream);
    expect({ ending, isWhole }).toEqual({ ending: "closed", isWhole: false });
    const pieces = readable(body).map((data) => {
      const event = JSON.parse(data);
      return event.choices?.[0]?.delta?.tool_calls?.[0]?.function?.arguments ?? event.delta?.partial_json ?? "";
    });
    expect(pieces.join("")).toMatch(/^\{"from":"Köln/);
    expect(isJson(pieces.join(""))).toBe(false);
    expect(body.toString()).toContain("find_train");
  });
  it("trickled comes in crumbs, some of which end inside a character", async () => {
    for (const more of [{}, stream]) {
      const message = await asker.ask("trickled", more);
      expect(textOf(message)).toBe(mainText);
      expect(message.chunks).toBeGreaterThan(10);
    }
  });
  it("huge-line is a mebibyte on one line", async () => {
    for (const more of [{}, stream]) {
      const message = await asker.ask("huge-line", more);
      const longest = Math.max(
        ...message.body
          .toString()
          .split("\n")
          .map(({ length }) => length),
      );
      expect(longest).toBeGreaterThan(1024 * 1024);
      expect(textOf(message)).toHaveLength(1024 * 1024);
    }
  });
  it("endless-line is a line of many mebibytes, and ends when nobody reads on", async () => {
    const { body } = await asker.ask("endless-line", stream);
    expect(body.length).toBeGreaterThan(20 * 1024 * 1024);
    expect(body.indexOf("\n")).toBe(-1);
    const connection = asker.open("endless-line", stream);
    await connection.received(/xxxx/);
    connection.close();
    await expect.poll(async () => (await asker.log())[1]?.endedBy).toBe("caller");
  });
  it("wrong-content-type is a good answer under another name", async () => {
    const streamed = await asker.ask("wrong-content-type", stream);
    const whole = await asker.ask("wrong-content-type");
    for (const { headers } of [streamed, whole]) expect(headers["content-type"]).toBe("text/plain");
    expect([streamedText(streamed.body), wholeText(whole.body)]).toEqual([mainText, mainText]);
  });
  it("empty-body is 200 with nothing in it", async () => {
    for (const more of [{}, stream]) {
      const { status, body, isWhole } = await asker.ask("empty-body", more);
      expect({ status, size: body.length, isWhole }).toEqual({ status: 200, size: 0, isWhole: true });
    }
  });
});

describe("crumble", () => {
  const text = Buffer.from(mainText.repeat(3));
  it("loses nothing", () => {
    expect(Buffer.concat(crumble(text, 10))).toEqual(text);
  });
  it("cuts every character of several bytes, and nothing longer than it was told", () => {
    const pieces = crumble(text, 10);
    const isInside = (byte = 0) => (byte & 0xc0) === 0x80;
    const inside = pieces.filter(([first]) => isInside(first));
    expect(inside.length).toBeGreaterThanOrEqual(3 * [..."ü猫🚂"].length);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(10);
  });
});

describe("a model's name", () => {
  it.each([
    ["steady", { behaviour: "steady", amount: undefined, tag: "" }],
    ["steady~r-1", { behaviour: "steady", amount: undefined, tag: "r-1" }],
    ["flapping@3~r-1", { behaviour: "flapping", amount: 3, tag: "r-1" }],
    ["flapping@many", { behaviour: "flapping", amount: undefined, tag: "" }],
  ])("%s", (model, expected) => {
    expect(parseFaultModel(model)).toEqual(expected);
  });
});
