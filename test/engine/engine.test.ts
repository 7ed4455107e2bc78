import { describe, expect, it } from "vitest";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { type ScriptStep, scriptedEngine } from "../../src/testing/index.ts";
import { answer, engineOver, messages, record, textOf, wordByWord } from "./support/support.ts";

const failing = (status: number): ScriptStep => ({ kind: "fail", status });

describe("chat", () => {
  it("says who served", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "unreachable" }], "b/m": [answer("yes")] });
    const { extra_fields } = await engine.chat({ model: "a/m", fallbacks: ["b"], messages });
    expect(extra_fields).toMatchObject({
      request_type: "chat_completion",
      provider: "b",
      model_requested: "a/m",
      model_deployment: "m",
    });
  });
  it("fails with the first candidate's error and tells of the others", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "fail", status: 401 }], "b/m": [{ kind: "fail", status: 503 }] });
    const error = await engine.chat({ model: "a/m", fallbacks: ["b/m"], messages }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "upstream_error", status: 401, provider: "a", model: "a/m", eventId: "evt_0" });
    expect(error.attempts).toMatchObject([
      { target: "a/m", status: 401, reason: "upstream_error" },
      { target: "b/m", status: 503, reason: "upstream_error" },
    ]);
  });
  it("fails at once with what no other candidate can mend, whoever says so", async () => {
    const script = { "a/m": [failing(500)], "b/m": [failing(422)], "c/m": [answer("never")] };
    const engine = scriptedEngine(script, { retry: { retries: 0 } });
    const asked = engine.chat({ model: "a/m", fallbacks: ["b/m", "c/m"], messages });
    await expect(asked).rejects.toMatchObject({
      status: 422,
      provider: "b",
      attempts: [{ status: 500 }, { status: 422 }],
    });
    expect(engine.calls).toEqual(["a/m", "b/m"]);
  });
  it("hides a defect's words from the caller and tells the listener", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "defect" }] });
    const defects = record(engine, "defect");
    const error = await engine.chat({ model: "a/m", messages }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "upstream_error", status: 502, cause: { message: "a scripted defect" } });
    expect(error.message).not.toContain("scripted");
    expect(defects).toMatchObject([{ event_id: "evt_0", error: { message: "a scripted defect" } }]);
  });
  it("tells every defect once when all candidates have one", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "defect" }], "b/m": [{ kind: "defect" }] });
    const defects = record(engine, "defect");
    const asked = engine.chat({ model: "a/m", fallbacks: ["b/m"], messages });
    await expect(asked).rejects.toMatchObject({ code: "upstream_error", provider: "a", attempts: [{}, {}] });
    expect(defects).toHaveLength(2);
  });
  it("goes on after a provider's defect, which is told once, and does not ask it again", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "defect" }], "b/m": [{ kind: "answer", text: "yes" }] });
    const defects = record(engine, "defect");
    const answer = await engine.chat({ model: "a/m", fallbacks: ["b/m"], messages });
    expect(answer.extra_fields?.provider).toBe("b");
    expect(engine.calls).toEqual(["a/m", "b/m"]);
    expect(defects).toMatchObject([{ event_id: "evt_0", error: { message: "a scripted defect" } }]);
  });
  it.each([
    ["gpt-5", "invalid_model", 400],
    ["c/m", "provider_not_found", 404],
  ])("refuses the model %s as %s", async (model, code, status) => {
    const engine = scriptedEngine({ "a/m": [answer("x")] });
    await expect(engine.chat({ model, messages })).rejects.toMatchObject({ code, status, param: "model" });
    expect(engine.calls).toEqual([]);
  });
  it("refuses a verb that the provider does not have", async () => {
    const engine = scriptedEngine({ "a/m": [answer("x")] });
    await expect(engine.embed({ model: "a/m", input: "x" })).rejects.toMatchObject({
      code: "unsupported_operation",
      param: "model",
    });
  });
  it("shows the raw exchange only when asked", async () => {
    const chat: Provider["chat"] = async (_request, { raw, model, id }) => {
      if (raw) Object.assign(raw, { request: { q: 1 }, response: { a: 2 } });
      return { id, object: "chat.completion", created: 1, model, choices: [] };
    };
    const { engine } = engineOver([{ name: "a", chat }]);
    const asked = await engine.chat({ model: "a/m", messages }, { raw: true });
    expect(asked.extra_fields).toMatchObject({ raw_request: { q: 1 }, raw_response: { a: 2 } });
    expect((await engine.chat({ model: "a/m", messages })).extra_fields).not.toHaveProperty("raw_request");
  });
  it("a listener that throws does not break the request", async () => {
    const engine = scriptedEngine({ "a/m": [answer("fine")] });
    const warned = new Promise((resolve) => process.once("warning", resolve));
    engine.on("settled", () => {
      throw new Error("bad listener");
    });
    expect((await engine.chat({ model: "a/m", messages })).choices[0]?.message.content).toBe("fine");
    expect(await warned).toMatchObject({ message: "bad listener" });
  });
});

describe("close", () => {
  it("takes no new work, waits for the old, then lets go of the providers", async () => {
    let closed = 0;
    const [streamer] = wordByWord("one two");
    const { engine } = engineOver([{ ...(streamer as Provider), close: async () => void closed++ }]);
    const stream = await engine.streamChat({ model: "a/m", messages });
    const closing = engine.close();
    await expect(engine.streamChat({ model: "a/m", messages })).rejects.toMatchObject({
      code: "shutting_down",
      status: 503,
    });
    expect(closed).toBe(0);
    expect(await textOf(stream)).toBe("one two");
    await closing;
    expect(closed).toBe(1);
    expect(engine.close()).toBe(closing);
  });
  it("cancels what is left after the grace", async () => {
    const { engine, clock } = engineOver([{ name: "a", chat: () => new Promise(() => {}) }]);
    const pending = engine.chat({ model: "a/m", messages }).catch((thrown) => thrown);
    const closing = engine.close({ graceMs: 5_000 });
    await clock.advance(5_000);
    await closing;
    expect(await pending).toMatchObject({ code: "shutting_down" });
  });
  it("an idle engine closes at once and leaves no timer", async () => {
    const { engine, clock } = engineOver(wordByWord("x"));
    await engine.close();
    expect(clock.pending).toBe(0);
  });
});

describe("what a provider is told", () => {
  const answerAt = (call: { id: string }) => ({
    id: call.id,
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [],
  });

  it("a wrapper may spread the call: the signal comes with it, and one of its own takes its place", async () => {
    const seen: boolean[] = [];
    const inner: NonNullable<Provider["chat"]> = async (_request, call) => {
      seen.push((call.cancellation ?? call.signal).aborted);
      return answerAt(call);
    };
    const spread: Provider = { name: "a", chat: (request, call) => inner(request, { ...call, model: "other" }) };
    const replaced: Provider = {
      name: "b",
      chat: (request, call) => inner(request, { ...call, signal: AbortSignal.abort() }),
    };
    const { engine } = engineOver([spread, replaced]);
    await engine.chat({ model: "a/m", messages });
    await engine.chat({ model: "b/m", messages });
    expect(seen).toEqual([false, true]);
  });
  it("the signal is aborted with the reason when the caller hangs up", async () => {
    const controller = new AbortController();
    let reason: unknown;
    const provider: Provider = {
      name: "a",
      chat: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(reason);
          });
        }),
    };
    const { engine, clock } = engineOver([provider]);
    const pending = engine.chat({ model: "a/m", messages }, { signal: controller.signal });
    await clock.advance(0);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: "request_cancelled" });
    expect(reason).toMatchObject({ code: "request_cancelled" });
  });
});
