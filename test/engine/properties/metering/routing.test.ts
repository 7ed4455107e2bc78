import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatChunk, ChatRequest } from "../../../../src/engine/api/chat.ts";
import { isGatewayError } from "../../../../src/engine/errors.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";
import { anyChat, anyScript } from "../../../../src/testing/arbitraries.ts";
import { type Script, type ScriptedEngine, scriptedEngine } from "../../../../src/testing/index.ts";

const cast = { providers: ["a", "b", "c"] };
const anyCase = [anyChat(cast), anyScript(cast)] as const;

/** What a caller saw: the answer's text, or the error's code. */
interface Seen {
  readonly text?: string;
  readonly code?: string;
  readonly attempts: number;
  readonly servedBy?: string;
}

async function seeWhole(engine: ScriptedEngine, request: ChatRequest): Promise<Seen> {
  try {
    const answer = await engine.chat(request);
    const { provider, model_deployment } = answer.extra_fields ?? {};
    return {
      text: String(answer.choices[0]?.message.content),
      attempts: 1,
      servedBy: `${provider}/${model_deployment}`,
    };
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    return { code: thrown.code, attempts: thrown.attempts.length };
  }
}

async function seeStreamed(engine: ScriptedEngine, request: ChatRequest): Promise<Seen> {
  const chunks: ChatChunk[] = [];
  try {
    for await (const chunk of await engine.streamChat(request)) chunks.push(chunk);
    const { provider, model_deployment } = chunks.at(-1)?.extra_fields ?? {};
    const text = String(mergeChunks(chunks).choices[0]?.message.content);
    return { text, attempts: 1, servedBy: `${provider}/${model_deployment}` };
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    return { code: thrown.code, attempts: thrown.attempts.length };
  }
}

const ways = { whole: seeWhole, streamed: seeStreamed };

describe.each(Object.entries(ways))("routing, %s", (_name, see) => {
  const check = (
    judge: (seen: Seen, world: { engine: ScriptedEngine; request: ChatRequest; script: Script }) => void,
  ) =>
    fc.assert(
      fc.asyncProperty(...anyCase, async (request, script) => {
        const engine = scriptedEngine(script);
        judge(await see(engine, request), { engine, request, script });
      }),
    );

  it("asks nobody that the request does not name", () =>
    check((_seen, { engine, request }) => {
      const named = [request.model, ...(request.fallbacks ?? [])];
      expect(engine.calls.every((target) => named.includes(target))).toBe(true);
    }));
  it("asks in the order of the plan", () =>
    check((_seen, { engine, request }) => {
      const order = engine.plan(request).targets.map(({ name }) => name);
      const positions = engine.calls.map((target) => order.indexOf(target));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    }));
  it("asks no target more often than once and its retries", () =>
    check((_seen, { engine }) => {
      for (const target of new Set(engine.calls))
        expect(engine.calls.filter((each) => each === target).length).toBeLessThanOrEqual(3);
    }));
  it("serves only what the last target asked really said, whole", () =>
    check((seen, { engine, script }) => {
      if (seen.text === undefined) return;
      const server = engine.calls.at(-1) as string;
      expect(seen.servedBy).toBe(server);
      expect(script[server]?.some((step) => step.kind === "answer" && step.text === seen.text)).toBe(true);
    }));
  it("settles every request exactly once and leaves neither timer nor call behind", () =>
    fc.assert(
      fc.asyncProperty(...anyCase, async (request, script) => {
        const engine = scriptedEngine(script);
        const settled: string[] = [];
        engine.on("settled", ({ event_id }) => void settled.push(event_id));
        await see(engine, request);
        expect(settled).toEqual(["evt_0"]);
        expect(engine.inFlight).toBe(0);
        expect(engine.clock.pending).toBe(0);
      }),
    ));
  it("never takes longer than the deadline", () =>
    fc.assert(
      fc.asyncProperty(...anyCase, fc.integer({ min: 1, max: 200_000 }), async (request, script, whole) => {
        const engine = scriptedEngine(script, { timeouts: { whole } });
        const before = engine.clock.now();
        await see(engine, request);
        expect(engine.clock.now() - before).toBeLessThanOrEqual(whole);
      }),
    ));
  it("is the same every time it is run", () =>
    fc.assert(
      fc.asyncProperty(...anyCase, async (request, script) => {
        const [one, two] = [scriptedEngine(script), scriptedEngine(script)];
        expect(await see(one, request)).toEqual(await see(two, request));
        expect(one.calls).toEqual(two.calls);
      }),
    ));
});
