import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../adapters/system.ts";
import type { HttpRequest, RequestBody } from "../../../src/http/message.ts";
import { openReading, readJson } from "../../../src/http/request/body.ts";
import { createBodyBuffers } from "../../../src/http/request/body-buffers.ts";
import { settleBounds } from "../../../src/http/request/bounds.ts";

const code = "overloaded";
const buffersOf = (buffered: number, bufferedPerKey: number) =>
  createBodyBuffers(settleBounds(undefined, { buffered, bufferedPerKey }));

describe("bytes of bodies that are buffered at once", () => {
  it("are bounded by key and in all, as a list of sizes says", () => {
    const step = fc.record({ body: fc.nat(5), bytes: fc.nat(60) });
    const keys = ["a", "a", "b", "b", undefined, undefined];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const open = buffersOf(100, 50);
        const bodies = keys.map(open);
        const sizes = keys.map(() => 0);
        for (const { body, bytes } of steps) {
          const sum = (wanted: (at: number) => boolean) =>
            sizes.reduce((total, size, at) => (at !== body && wanted(at) ? total + size : total), 0);
          const own = sum((at) => keys[at] === keys[body]);
          const others = sum(() => true);
          const isOver = (own > 0 && own + bytes > 50) || (others > 0 && others + bytes > 100);
          const refused = bytes > (sizes[body] ?? 0) && isOver;
          if (refused) expect(() => bodies[body]?.resize(bytes)).toThrow(expect.objectContaining({ code }));
          else bodies[body]?.resize(bytes);
          if (!refused) sizes[body] = bytes;
        }
        for (const body of bodies) body.release();
        for (const key of new Set(keys)) {
          const whole = open(key);
          whole.resize(100_000); // alone again
          whole.release();
        }
      }),
    );
  });

  it("tell who is refused when to come again", () => {
    const open = buffersOf(100, 50);
    open("a").resize(50);
    const refusal = { code, status: 503, retryAfterMs: 1_000, message: expect.stringContaining("`bufferedPerKey`") };
    expect(() => open("a").resize(1)).toThrow(expect.objectContaining(refusal));
    open("b").resize(50);
    const inAll = { ...refusal, message: expect.stringContaining("`buffered`") };
    expect(() => open("c").resize(1)).toThrow(expect.objectContaining(inAll));
  });
});

/** A body that arrives when it is told to. */
function slowBody(bytes: Uint8Array, encoding?: string) {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const request: Pick<HttpRequest, "headers" | "read"> = {
    headers: { "content-type": "application/json" },
    async read({ resize }): Promise<RequestBody> {
      resize(bytes.length);
      await arrived;
      return { kind: "bytes", bytes, encoding };
    },
  };
  return { request: request as HttpRequest, arrive };
}

describe("a listener", () => {
  const bounds = { buffered: 300, bufferedPerKey: 150 };
  const body = () => slowBody(Buffer.from(`"${"x".repeat(98)}"`));

  it("refuses a key's second body while its first is there, and takes that of another", async () => {
    const reading = openReading(undefined, bounds, systemClock);
    const [first, second, other, later] = [body(), body(), body(), body()];
    const reads = [readJson(first.request, reading, { key: "a" }), readJson(other.request, reading, { key: "b" })];
    await expect(readJson(second.request, reading, { key: "a" })).rejects.toMatchObject({ code });
    first.arrive();
    other.arrive();
    expect(await Promise.all(reads)).toEqual(["x".repeat(98), "x".repeat(98)]);
    later.arrive();
    expect(await readJson(later.request, reading, { key: "a" })).toBe("x".repeat(98));
  });

  it.each([
    ["no JSON", Buffer.from("{"), undefined],
    ["not what its encoding says", Buffer.from("{}"), "gzip"],
    ["in an unknown encoding", Buffer.from("{}"), "zip"],
  ])("forgets a body that is %s", async (_what, bytes, encoding) => {
    const reading = openReading(undefined, { buffered: 1, bufferedPerKey: 1 }, systemClock);
    for (let time = 0; time < 3; time++) {
      const broken = slowBody(bytes, encoding);
      broken.arrive();
      await expect(readJson(broken.request, reading, { key: "a" })).rejects.not.toMatchObject({ code });
    }
  });

  it("counts what a compressed body may unpack to while it does", async () => {
    const reading = openReading(undefined, { buffered: 3_000_000, bufferedPerKey: 1_500_000 }, systemClock);
    const packed = () => slowBody(gzipSync('"x"'), "gzip");
    const [one, two] = [packed(), packed()];
    const reads = [one, two].map(({ request }) => readJson(request, reading, { key: "a" }));
    one.arrive();
    two.arrive();
    const ends = await Promise.allSettled(reads);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code } });
  });
});
