import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText, writeIndexed, writeText } from "../../../adapters/shared/postgres/texts.ts";
import { createQueue, type Load } from "../../../adapters/stores/postgres/ledger/queue.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import { day, entry, midnight } from "../../../src/testing/conformance/ledger/entries.ts";

/** How a write ends: done, done and not confirmed, not done, or refused for what one of its entries holds. */
type End = "done" | "unconfirmed" | "failed";
const ends = fc.array(fc.constantFrom<End>("done", "unconfirmed", "failed"), { maxLength: 30 });

/** A server that makes each number once, and refuses whatever holds an entry that begins with `bad`. */
function fakeServer(plan: readonly End[]) {
  const made: string[] = [];
  const held: number[] = [];
  const tries: { number: number; text: string }[] = [];
  let last = 0;
  let isThere = false;
  const write = async (load: Load): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    const end = isThere ? "done" : (plan[tries.length] ?? "done");
    tries.push({ number: load.number, text: JSON.stringify([load.entries, load.counterValues]) });
    if (end === "failed") throw new Error("ECONNREFUSED");
    if (load.entries.some(({ id }) => id.startsWith("bad"))) throw refused();
    if (load.number > last) {
      made.push(...load.entries.map(({ id }) => id));
      held.push(...load.counterValues.map(({ used }) => used));
      last = load.number;
    }
    if (end === "unconfirmed") throw new Error("ECONNRESET");
  };
  const recover = () => {
    isThere = true;
  };
  return { made, held, tries, write, recover };
}

function refused(): Error {
  const cause = Object.assign(new Error("integer out of range"), { code: "22003", severity: "ERROR" });
  return new GatewayError("internal", "refused", { cause });
}

interface Appended {
  readonly ids: readonly string[];
  readonly end: Promise<boolean>;
}

/** Appends ids in groups, some in the same turn; gives how each ended, once the server is there again and all is written. */
async function play(plan: readonly End[], groups: readonly (readonly string[])[]) {
  const server = fakeServer(plan);
  const queue = createQueue(server.write);
  const appended: Appended[] = [];
  const standing = { counter: "c", start: midnight, end: midnight + day, used: 0 };
  for (const ids of groups) {
    standing.used += ids.length;
    const written = queue.add(
      ids.map((id) => entry({ id })),
      [standing],
    );
    const end = written.then(
      () => ids.every((id) => server.made.includes(id)),
      () => true, // told that it was not: nothing was promised
    );
    appended.push({ ids, end });
    if (ids.length % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await queue.idle();
  server.recover();
  await queue.close();
  return { server, kept: await Promise.all(appended.map(({ end }) => end)), backlog: queue.backlog() };
}

const groupsOf = (name: string) =>
  fc
    .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 20 })
    .map((sizes) => sizes.map((size, group) => Array.from({ length: size }, (_, n) => `${name}_${group}_${n}`)));

describe("entries on their way to PostgreSQL", () => {
  it("are made once each, in the order in which they were appended, whatever fails on the way", async () => {
    await fc.assert(
      fc.asyncProperty(ends, groupsOf("evt"), async (plan, groups) => {
        const { server } = await play(plan, groups);
        expect(server.made).toEqual(groups.flat());
      }),
    );
  });

  it("are made when the promise of their append resolves", async () => {
    await fc.assert(
      fc.asyncProperty(ends, groupsOf("evt"), async (plan, groups) => {
        expect((await play(plan, groups)).kept).toEqual(groups.map(() => true));
      }),
    );
  });

  it("are the same under the same number, however often they are sent", async () => {
    await fc.assert(
      fc.asyncProperty(ends, groupsOf("evt"), async (plan, groups) => {
        const { server } = await play(plan, groups);
        const texts = new Map(server.tries.map(({ number, text }) => [number, text]));
        for (const { number, text } of server.tries) expect(text).toBe(texts.get(number));
      }),
    );
  });

  it("bring what counters hold at the end", async () => {
    await fc.assert(
      fc.asyncProperty(ends, groupsOf("evt"), async (plan, groups) => {
        const { server } = await play(plan, groups);
        expect(server.held.at(-1)).toBe(groups.flat().length);
      }),
    );
  });

  it("are not lost with one that the server refuses", async () => {
    const names = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(ends, names, async (plan, bad) => {
        const ids = bad.map((isBad, n) => `${isBad ? "bad" : "good"}_${n}`);
        const { server, backlog } = await play(plan, [ids]);
        expect(backlog).toEqual({ waiting: 0, isFull: false, lost: ids.filter((id) => id.startsWith("bad")).length });
        expect(server.made).toEqual(ids.filter((id) => id.startsWith("good")));
        expect(server.held.at(-1)).toBe(ids.length);
      }),
    );
  });

  it("are told to be lost where too many wait, and those before them are not", async () => {
    const server = fakeServer(Array.from({ length: 9 }, () => "failed"));
    const queue = createQueue(server.write);
    const many = Array.from({ length: 10_000 }, (_, n) => entry({ id: `evt_${n}` }));
    await expect(queue.add(many, [])).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(queue.add([entry({ id: "one too many" })], [])).rejects.toThrow("1 entry of the ledger is lost");
    expect(queue.backlog()).toEqual({ waiting: 10_000, lost: 1, isFull: true });
    server.recover();
    await queue.close();
    expect(queue.backlog()).toEqual({ waiting: 0, lost: 1, isFull: false });
    expect(server.made).toHaveLength(10_000);
  });
});

describe("texts in PostgreSQL", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom("\u0000", "\u001a", "0", "1", "a", "\ud800", "\udc00"),
      fc.string({ unit: "binary", maxLength: 1 }),
    ),
  });

  it("are read as they were written", () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(readText(writeText(written))).toBe(written.toWellFormed());
      }),
    );
  });

  it("hold no U+0000", () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(writeText(written)).not.toContain("\u0000");
      }),
    );
  });

  it("fit into an index, and differ where they differ", () => {
    const long = fc
      .tuple(text, fc.integer({ min: 0, max: 3_000 }))
      .map(([start, length]) => start + "x".repeat(length));
    fc.assert(
      fc.property(long, long, (one, other) => {
        expect(Buffer.byteLength(writeIndexed(one))).toBeLessThan(2_000);
        expect(writeIndexed(one) === writeIndexed(other)).toBe(one.toWellFormed() === other.toWellFormed());
      }),
    );
  });
});
