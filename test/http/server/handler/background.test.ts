import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../../../../src/index.ts";
import {
  clientOf,
  closeAll,
  keyOf,
  lab,
  model,
  refusalOf,
  start,
  type World,
  world,
} from "../../support/responses/stored-world.ts";

afterEach(closeAll);

const background = { model, input: "abc", background: true } as const;
/** A call reserves at most $1, and costs $0.50: two do not fit at once, and three do in a row. */
const budgets = [{ max_limit: 1.6, reset_duration: "never", enforcement: "hard" }];

async function rig() {
  const here = world();
  const engine = start(here);
  const key = await keyOf(engine, { budgets });
  return { ...here, engine, ...key, client: clientOf(engine, key.key) };
}

async function rowsOf(engine: Engine) {
  const { entries } = await engine.usage.entries({ from: 0, limit: 50 } as never);
  return entries.map(({ status, reason, attempts }) => ({
    status,
    reason,
    cost: attempts.map(({ cost }) => cost),
  }));
}

const paid = { status: 200, reason: "ok", cost: [0.5] };

describe("a response in the background", () => {
  it("is answered at once, holds its budget until it is done, and is billed once, by the caller's look", async () => {
    const { engine, vendor, client } = await rig();
    const { responses } = client;
    const queued = await responses.create(background);
    expect(queued).toMatchObject({ status: "queued", background: true, output: [] });
    expect(await rowsOf(engine)).toEqual([]);
    expect(await refusalOf(responses.create(background))).toMatchObject({ status: 402 });
    vendor.work("in_progress");
    expect(await responses.retrieve(queued.id)).toMatchObject({ id: queued.id, status: "in_progress" });
    expect(engine.inFlight).toBe(1);
    vendor.work();
    expect(await responses.retrieve(queued.id)).toMatchObject({ status: "completed", output_text: "cba" });
    expect(engine.inFlight).toBe(0);
    expect((await rowsOf(engine)).filter(({ status }) => status === 200)).toEqual([paid]);
    await responses.retrieve(queued.id);
    expect((await rowsOf(engine)).filter(({ status }) => status === 200)).toEqual([paid]);
    expect(await responses.create(background)).toMatchObject({ status: "queued" });
  });

  it("is billed by the gateway's own looks where its caller does not come back, also after looks that failed", async () => {
    const { engine, vendor, clock, client } = await rig();
    const queued = await client.responses.create(background);
    vendor.isDown = true;
    await clock.advance(60_000);
    vendor.isDown = false;
    vendor.work();
    await clock.advance(20_000);
    expect(await rowsOf(engine)).toEqual([paid]);
    const looks = vendor.asked.filter(({ method }) => method === "GET").length;
    expect(looks).toBeGreaterThan(3);
    expect(looks).toBeLessThan(12);
    await clock.advance(600_000);
    expect(vendor.asked.filter(({ method }) => method === "GET")).toHaveLength(looks);
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ output_text: "cba" });
  });

  it.each([
    ["cancelled by its caller", { status: 499, reason: "request_cancelled" }],
    ["deleted by its caller", { status: 499, reason: "request_cancelled" }],
    ["failed", { status: 502, reason: "upstream_error" }],
  ])("that is %s ends its hold, with a row that says so", async (how, row) => {
    const { engine, vendor, clock, client } = await rig();
    const { responses } = client;
    const { id } = await responses.create(background);
    if (how.startsWith("cancelled")) expect(await responses.cancel(id)).toMatchObject({ id, status: "cancelled" });
    else if (how.startsWith("deleted")) await responses.delete(id);
    else vendor.work("failed");
    if (!how.startsWith("cancelled")) await clock.advance(2_000);
    expect(engine.inFlight).toBe(0);
    expect(await rowsOf(engine)).toMatchObject([row]);
    expect(await responses.create(background)).toMatchObject({ status: "queued" });
  });

  it("goes on when its caller hangs up, and ends at its deadline, also at the vendor", async () => {
    const { engine, vendor, clock, client } = await rig();
    const caller = new AbortController();
    await client.responses.create(background, { signal: caller.signal });
    caller.abort();
    await clock.advance(1_800_000);
    expect(engine.inFlight).toBe(1);
    await clock.advance(1_900_000);
    expect(engine.inFlight).toBe(0);
    expect(await rowsOf(engine)).toMatchObject([{ status: 504, reason: "upstream_timeout" }]);
    expect(vendor.asked.at(-1)).toMatchObject({ method: "POST", path: expect.stringMatching(/\/cancel$/) });
  });

  it("is asked of one vendor once: no retry and no fallback follow one that was queued", async () => {
    const { engine, vendor, clock, client } = await rig();
    await client.responses.create({ ...background, fallbacks: ["openai/gpt-5.5", "lab/m"] } as never);
    vendor.work("failed");
    await clock.advance(60_000);
    expect(vendor.asked.filter(({ path }) => path === "/v1/responses")).toHaveLength(1);
    expect(await rowsOf(engine)).toHaveLength(1);
  });

  it("is a 400 that names `background` where the target has no such thing, and with a stream", async () => {
    const { client } = await rig();
    const { responses } = client;
    const elsewhere = responses.create({ ...background, model: `${lab.name}/m` });
    expect(await refusalOf(elsewhere)).toMatchObject({ status: 400, param: "background" });
    const streamed = responses.create({ ...background, stream: true });
    expect(await refusalOf(streamed)).toMatchObject({ status: 400, param: "background" });
  });

  it("is read by another process; the process that died has left a row `lost`", async () => {
    const { engine, client, key, store, vendor, clock } = await rig();
    const { id } = await client.responses.create(background);
    await clock.advance(3_000);
    const record = await store.records.list("calls", { limit: 1 });
    expect(record.records[0]?.record.entries).toMatchObject([{ reason: "lost", model_requested: model }]);
    const second = start({ store, vendor, clock } as World);
    vendor.work();
    expect(await clientOf(second, key).responses.retrieve(id)).toMatchObject({ id, output_text: "cba" });
    expect(engine.inFlight).toBe(1);
  });

  it("costs what a call in the foreground does, whatever looks, cancels and failures come between", async () => {
    const step = fc.constantFrom("look", "tick", "down", "up", "progress", "other key looks");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, isLooked) => {
        const { engine, vendor, clock, client } = await rig();
        const other = clientOf(engine, (await keyOf(engine)).key);
        const { id } = await client.responses.create(background);
        for (const one of steps) {
          if (one === "look") await client.responses.retrieve(id).catch(() => {});
          if (one === "other key looks") await other.responses.retrieve(id).catch(() => {});
          if (one === "tick") await clock.advance(20_000);
          if (one === "progress") vendor.work("in_progress");
          vendor.isDown = one === "down" || (vendor.isDown && one !== "up");
          expect(await rowsOf(engine)).toEqual([]);
        }
        vendor.isDown = false;
        vendor.work();
        if (isLooked) await client.responses.retrieve(id);
        else await clock.advance(20_000);
        expect(await rowsOf(engine)).toEqual([paid]);
        expect(engine.inFlight).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
