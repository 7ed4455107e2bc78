import { afterEach, describe, expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { openai } from "../../../../../adapters/providers/openai.ts";
import { systemClock } from "../../../../../adapters/system.ts";
import { createEngine } from "../../../../../src/index.ts";
import { behaviours } from "../../../../../src/testing/faults/behaviours/behaviours.ts";
import { openCallLog } from "../../../../../src/testing/faults/server/call-log.ts";
import {
  type FaultServer,
  type FaultServerOptions,
  startFaultServer,
} from "../../../../../src/testing/faults/server/start.ts";
import { fakeClock } from "../../../../../src/testing/index.ts";
import { paths, question } from "../../../support/asking.ts";
import { post, readMessage } from "../../../support/raw.ts";

const open: FaultServer[] = [];
async function start(options?: FaultServerOptions): Promise<FaultServer> {
  const faultServer = await startFaultServer(options);
  open.push(faultServer);
  return faultServer;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((faultServer) => faultServer.close()));
});

const body = { model: "steady~t", messages: question };
const ask = (faultServer: FaultServer, model: string, headers: Record<string, string> = {}) =>
  post(faultServer.url, { path: paths.openai, body: { ...body, model }, headers: { connection: "close", ...headers } });

describe.each([
  ["in a process of its own", undefined],
  ["in this process", { clock: systemClock }],
])("a fault server %s", (_name, options) => {
  it("notes what reached it, in order, with times that do not run backwards", async () => {
    const faultServer = await start(options);
    for (const model of ["steady~a", "steady~b", "steady~a"])
      await ask(faultServer, model, { authorization: "Bearer sk-secret-1234" }).over;
    const log = await faultServer.log();
    expect(log.map(({ model, turn }) => `${model} ${turn}`)).toEqual(["steady~a 1", "steady~b 1", "steady~a 2"]);
    expect(log[0]).toMatchObject({ dialect: "openai", behaviour: "steady", tag: "a", isStream: false, messages: 1 });
    for (const { at, lastByteAt = 0, endedAt = 0, endedBy } of log) {
      expect(lastByteAt).toBeGreaterThanOrEqual(at);
      expect(endedAt).toBeGreaterThanOrEqual(lastByteAt);
      expect(endedBy).toBe("server");
    }
    expect(JSON.stringify(log)).not.toContain("secret");
    expect(log[0]?.credential).toBe("1234");
  });
  it("tells the calls of one tag, and forgets everything when it is told to", async () => {
    const faultServer = await start(options);
    await ask(faultServer, "server-error-once~a").over;
    await ask(faultServer, "steady~b").over;
    expect((await faultServer.log("b")).map(({ model }) => model)).toEqual(["steady~b"]);
    expect(await faultServer.log("c")).toEqual([]);
    await faultServer.clear();
    expect(await faultServer.log()).toEqual([]);
    const again = ask(faultServer, "server-error-once~a");
    await again.over;
    expect(readMessage(again).status).toBe(500);
    expect((await faultServer.log())[0]?.turn).toBe(1);
  });
  it("gives every run a number of its own", async () => {
    const faultServer = await start(options);
    const runs = await Promise.all([faultServer.nextRun(), faultServer.nextRun(), faultServer.nextRun()]);
    expect(new Set(runs).size).toBe(3);
  });
  it("notes that the caller hung up", async () => {
    const faultServer = await start(options);
    const connection = ask(faultServer, "silent~a");
    await expect.poll(async () => (await faultServer.log()).length).toBe(1);
    expect((await faultServer.log())[0]?.endedBy).toBeUndefined();
    connection.close();
    await expect.poll(async () => (await faultServer.log())[0]?.endedBy).toBe("caller");
  });
  it("closes although somebody still waits", async () => {
    const faultServer = await start(options);
    const connection = ask(faultServer, "silent~a");
    await expect.poll(async () => (await faultServer.log()).length).toBe(1);
    await faultServer.close();
    await connection.over;
    await expect(faultServer.log()).rejects.toThrow();
  });
  it("has nothing at other addresses", async () => {
    const faultServer = await start(options);
    for (const path of ["/v1/embeddings", "/__other", "/"]) {
      const connection = post(faultServer.url, { path, body, headers: { connection: "close" } });
      await connection.over;
      expect(readMessage(connection).status).toBe(404);
    }
  });
  it("lists its models to clients of both vendors", async () => {
    const { url } = await start(options);
    const engine = createEngine({
      providers: [
        openai({ apiKey: "sk-fault-1", baseUrl: `${url}/v1` }),
        anthropic({ apiKey: "sk-fault-2", baseUrl: url }),
      ],
    });
    const { data } = await engine.models();
    await engine.close();
    const names = Object.keys(behaviours).flatMap((name) => [`anthropic/${name}`, `openai/${name}`]);
    expect(data.map(({ id }) => id).sort()).toEqual(names.sort());
  });
});

describe("a fault server on a clock that stands still", () => {
  it("keeps back a slow first token until its time has come", async () => {
    const clock = fakeClock();
    const faultServer = await start({ clock });
    const connection = ask(faultServer, "slow-first-token@250~a");
    await expect.poll(() => clock.pending).toBe(1);
    await clock.advance(249);
    await faultServer.log();
    expect(connection.pieces).toEqual([]);
    await clock.advance(1);
    await connection.over;
    expect(readMessage(connection).status).toBe(200);
    const [call] = await faultServer.log();
    expect((call?.lastByteAt ?? 0) - (call?.at ?? 0)).toBe(250);
  });
  it("lets go of its timers when the caller hangs up", async () => {
    const clock = fakeClock();
    const faultServer = await start({ clock });
    const connection = ask(faultServer, "slow-first-token@250~a");
    await expect.poll(() => clock.pending).toBe(1);
    connection.close();
    await expect.poll(() => clock.pending).toBe(0);
  });
});

describe("a journal", () => {
  it("keeps its order even when the clock is set back", () => {
    let now = 5_000;
    const journal = openCallLog(() => now);
    const arrival = {
      ask: { model: "steady", isStream: false, wantsUsage: false, prefill: undefined, messages: 1 },
      dialect: "openai" as const,
      credential: "",
    };
    now += 100;
    const noted = journal.note(arrival);
    now -= 3_000;
    noted.wrote();
    journal.note(arrival);
    expect(journal.read().map(({ at }) => at)).toEqual([100, 100]);
    expect(journal.read()[0]?.lastByteAt).toBe(100);
  });
});
