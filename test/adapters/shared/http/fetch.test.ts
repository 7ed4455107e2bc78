import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { fetchTransport } from "../../../../adapters/shared/http/fetch.ts";
import { long, post } from "../../support/shared/http/setup.ts";

test("a stream keeps nothing of what was read of it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const pieces: WeakRef<Uint8Array>[] = [];
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = new Uint8Array(10_000);
        pieces.push(new WeakRef(piece));
        controller.enqueue(piece);
      },
    });
  const stream = await fetchTransport(async () => new Response(body())).stream(post("http://127.0.0.1:1/"));
  const bytes = stream.body[Symbol.asyncIterator]();
  for (let n = 0; n < 100; n++) await bytes.next();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const kept = pieces.filter((piece) => piece.deref() !== undefined);
  await bytes.return?.();
  expect(kept.length).toBeLessThan(20);
});

test("a deadline without end does not pass at once", async () => {
  const timeouts = { ...long, connect: 2 ** 31, firstContent: Number.POSITIVE_INFINITY };
  const late = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return new Response("late");
  };
  const answer = await fetchTransport(late).whole(post("http://127.0.0.1:1/", { timeouts }));
  expect(answer.body).toBe("late");
});
