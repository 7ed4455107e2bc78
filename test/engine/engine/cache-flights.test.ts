import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/engine/errors.ts";
import { ask, cachedEngine, settle } from "../support/caching.ts";
import { textOf } from "../support/support.ts";

const down = () => new GatewayError("upstream_error", "no", { upstream: { status: 400, message: "no" } });

describe("the same question, asked a thousand times at once", () => {
  it("is asked once, and answered a thousand times", async () => {
    const { engine, asked } = cachedEngine();
    const answers = Array.from({ length: 1_000 }, () => engine.chat(ask("hi")));
    await settle();
    expect(asked).toHaveLength(1);
    asked[0]?.say("hello");
    const texts = (await Promise.all(answers)).map(({ choices }) => choices[0]?.message.content);
    expect(texts).toEqual(Array(1_000).fill("hello"));
    expect(asked).toHaveLength(1);
    const [sums] = await engine.usage.query({ from: 0, to: 2 ** 45 });
    expect(sums).toMatchObject({ requests: 1_000, attempts: 1, cache_hits: 999 });
    expect(engine.inFlight).toBe(0);
  });

  it("is streamed once, to a thousand readers, each at its own pace", async () => {
    const { engine, asked } = cachedEngine();
    const texts = Array.from({ length: 1_000 }, async () => textOf(await engine.streamChat(ask("hi"))));
    await settle();
    for (const word of ["to ", "be ", "or ", "not"]) {
      asked[0]?.say(word);
      await settle();
    }
    asked[0]?.end();
    expect(await Promise.all(texts)).toEqual(Array(1_000).fill("to be or not"));
    expect(asked).toHaveLength(1);
    expect(engine.inFlight).toBe(0);
  });

  it("is asked by each when it differs in what matters, or when nobody wants to share", async () => {
    const { engine, asked } = cachedEngine();
    const all = [
      engine.chat(ask("hi")),
      engine.chat(ask("hi", { temperature: 1 })),
      engine.chat(ask("hi"), { cache: { mode: "off" } }),
      engine.chat(ask("hi"), { cache: { mode: "write" } }),
    ];
    await settle();
    expect(asked).toHaveLength(4);
    for (const one of asked) one.say("x");
    await Promise.all(all);
  });
});

describe("a caller who leaves", () => {
  it("does not end what others wait for, although it asked first", async () => {
    const { engine, asked } = cachedEngine();
    const leaving = new AbortController();
    const first = engine.chat(ask("hi"), { signal: leaving.signal, eventId: "first" });
    const second = engine.chat(ask("hi"));
    await settle();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: "request_cancelled", eventId: "first" });
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.say("hello");
    expect((await second).choices[0]?.message.content).toBe("hello");
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries.find(({ id }) => id === "first")).toMatchObject({
      status: 200,
      attempts: [{ completion_tokens: 5 }],
    });
    expect(engine.inFlight).toBe(0);
  });

  it("does not end it when it only waited", async () => {
    const { engine, asked } = cachedEngine();
    const leaving = new AbortController();
    const first = engine.chat(ask("hi"));
    const second = engine.chat(ask("hi"), { signal: leaving.signal });
    await settle();
    leaving.abort();
    await expect(second).rejects.toMatchObject({ code: "request_cancelled" });
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.say("hello");
    expect((await first).choices[0]?.message.content).toBe("hello");
  });

  it("ends it when nobody is left", async () => {
    const { engine, asked } = cachedEngine();
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) => engine.chat(ask("hi"), { signal }));
    await settle();
    for (const controller of controllers) controller.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "request_cancelled" });
    await settle();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(engine.inFlight).toBe(0);
  });

  it("of a stream leaves the others their stream, by signal or by break", async () => {
    const { engine, asked } = cachedEngine();
    const leaving = new AbortController();
    const first = (await startStream(engine.streamChat(ask("hi"), { signal: leaving.signal }), asked)).stream;
    const second = await engine.streamChat(ask("hi"));
    const third = await engine.streamChat(ask("hi"));
    const readingFirst = textOf(first);
    const readingThird = textOf(third);
    for await (const chunk of second) if (chunk.choices[0]?.delta.content) break;
    leaving.abort();
    await expect(readingFirst).rejects.toMatchObject({ code: "request_cancelled" });
    asked[0]?.say("be");
    asked[0]?.end();
    expect(await readingThird).toBe("to be");
    expect(asked).toHaveLength(1);
    const again = await engine.chat(ask("hi"));
    expect(again.extra_fields?.cache_debug).toMatchObject({ cache_hit: true });
    expect(engine.inFlight).toBe(0);
  });

  it("of a stream ends it when nobody is left, and nothing is kept", async () => {
    const { engine, asked } = cachedEngine();
    const { stream } = await startStream(engine.streamChat(ask("hi")), asked);
    const other = await engine.streamChat(ask("hi"));
    for (const each of [stream, other]) for await (const chunk of each) if (chunk.choices[0]?.delta.content) break;
    await settle();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(engine.inFlight).toBe(0);
    void engine.chat(ask("hi")).catch(() => {});
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.say("x");
  });
});

describe("a failure of the one who asks", () => {
  it("lets the first of those who wait ask in its place, and all have that answer", async () => {
    const { engine, asked } = cachedEngine();
    const calls = Promise.allSettled(Array.from({ length: 5 }, () => engine.chat(ask("hi"))));
    await settle();
    asked[0]?.fail(down());
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.say("hello");
    const ends = await calls;
    expect(ends.map(({ status }) => status)).toEqual(["rejected", ...Array(4).fill("fulfilled")]);
  });

  it("is everybody's after the second time, on each one's own books", async () => {
    const { engine, asked } = cachedEngine();
    const asking = Array.from({ length: 5 }, (_, n) => engine.chat(ask("hi"), { eventId: `e${n}` }));
    const calls = Promise.allSettled(asking);
    await settle();
    asked[0]?.fail(down());
    await settle();
    asked[1]?.fail(down());
    const ends = await calls;
    expect(ends.map((end) => (end.status === "rejected" ? end.reason.eventId : "?"))).toEqual([
      "e0",
      "e1",
      "e2",
      "e3",
      "e4",
    ]);
    expect(asked).toHaveLength(2);
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries.map(({ status }) => status)).toEqual(Array(5).fill(400));
    expect(engine.inFlight).toBe(0);
  });

  it("in the middle of a stream is the failure of all who read it", async () => {
    const { engine, asked } = cachedEngine();
    const { stream } = await startStream(engine.streamChat(ask("hi")), asked);
    const other = await engine.streamChat(ask("hi"), { eventId: "other" });
    const readings = [textOf(stream), textOf(other)];
    asked[0]?.fail(new GatewayError("upstream_stream_broken", "cut"));
    await expect(readings[0]).rejects.toMatchObject({ code: "upstream_stream_broken" });
    await expect(readings[1]).rejects.toMatchObject({ code: "upstream_stream_broken", eventId: "other" });
    expect(engine.inFlight).toBe(0);
  });

  it("of a stream that nobody reads is nobody else's: who comes then asks anew", async () => {
    const { engine, asked, clock } = cachedEngine();
    const { stream } = await startStream(engine.streamChat(ask("hi"), { timeouts: { whole: 1_000 } }), asked);
    await clock.advance(1_000);
    const other = engine.streamChat(ask("hi"));
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.say("hello");
    asked[1]?.end();
    expect(await textOf(await other)).toBe("hello");
    await expect(textOf(stream)).rejects.toMatchObject({ code: "upstream_timeout" });
    expect(engine.inFlight).toBe(0);
  });

  it("that is over while another waits does not take longer than that one's own time", async () => {
    const { engine, asked, clock } = cachedEngine();
    const first = engine.chat(ask("hi"));
    const second = engine.chat(ask("hi"), { timeouts: { whole: 1_000 } });
    await settle();
    const late = expect(second).rejects.toMatchObject({ code: "upstream_timeout" });
    await clock.advance(1_000);
    await late;
    asked[0]?.say("hello");
    await first;
    expect(clock.pending).toBe(0);
  });
});

/** A stream whose first word was said. */
async function startStream<T>(opening: Promise<AsyncIterable<T>>, asked: readonly { say(text: string): void }[]) {
  await settle();
  asked.at(-1)?.say("to ");
  return { stream: await opening };
}

describe("callers with keys of their own who share what is kept", () => {
  /** Keys of one project with these budgets, in dollars. */
  async function sharing(budgets: readonly number[]) {
    const world = cachedEngine({ scope: "project" });
    const { id: project_id } = await world.engine.projects.create({ name: "p" });
    const keys: string[] = [];
    for (const max_limit of budgets) {
      const provider_configs = [{ provider: "a", allowed_models: ["*"] }];
      const limits = [{ max_limit, reset_duration: "1d" as const }];
      const { value } = await world.engine.keys.create({ name: "k", project_id, provider_configs, budgets: limits });
      keys.push(value);
    }
    for (const key of keys) await world.engine.models({ key }); // so that each is known already
    const asks = keys.map((key) => world.engine.chat(ask("hi"), { key }).catch(({ code }) => code));
    await settle();
    return { ...world, asks };
  }

  it("are not refused with the budget of somebody else", async () => {
    const { engine, asked, asks } = await sharing([0.000001, 0.000002, 0.000003, 100, 100]);
    expect(asked).toHaveLength(1);
    asked[0]?.say("hello");
    const told = await Promise.all(asks);
    expect(told.slice(0, 3)).toEqual(Array(3).fill("budget_exceeded"));
    for (const answer of told.slice(3)) expect(answer.choices[0].message.content).toBe("hello");
    expect(engine.inFlight).toBe(0);
  });

  it("are told of a failure that would be theirs, too, after two have tried", async () => {
    const { asked, asks } = await sharing([100, 100, 100, 100]);
    for (const at of [0, 1]) {
      asked[at]?.fail(down());
      await settle();
    }
    expect(await Promise.all(asks)).toEqual(Array(4).fill("upstream_error"));
    expect(asked).toHaveLength(2);
  });
});
