import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/engine/errors.ts";
import { mintKey } from "../../../src/engine/policy/key.ts";
import { createEngine } from "../../../src/index.ts";
import { mintToken } from "../../../src/portal/identity/authenticator.ts";
import { openLog } from "../../../src/server/logging/log.ts";
import { formatRecord } from "../../../src/server/logging/log-line.ts";
import { noteRefusal, openRequestLog } from "../../../src/server/logging/request-log.ts";
import { scrubberOf, secretsIn } from "../../../src/server/terminal/redaction.ts";
import { scriptedEngine } from "../../../src/testing/engine.ts";

const asIs = (text: string) => text;

/** A log whose lines are kept. */
function options(level = "info", scrub = asIs) {
  const lines: string[] = [];
  return { lines, now: () => 0, level, scrub, isForPeople: false, write: (line: string) => void lines.push(line) };
}

/** Lines of a journal, as objects without their time. */
function records(lines: readonly string[]) {
  return lines.map((line) => {
    const { time, ...record } = JSON.parse(line);
    expect(Date.parse(time)).toBeGreaterThan(0);
    return record;
  });
}

const messages = [{ role: "user" as const, content: "a private question" }];

describe("the journal", () => {
  const script = {
    "a/good": [{ kind: "answer" as const, text: "a private answer" }],
    "a/bad": [{ kind: "fail" as const, status: 503 }],
    "a/broken": [{ kind: "defect" as const }],
  };

  function open(level?: string) {
    const engine = scriptedEngine(script);
    const kept = options(level);
    openRequestLog(engine as never, kept);
    return { engine, kept };
  }

  it("has one line for each request, with who served and what it took, and nothing of what was said", async () => {
    const { engine, kept } = open();
    await engine.chat({ model: "a/good", messages });
    for await (const _chunk of await engine.streamChat({ model: "a/good", messages })) {
      // only to its end
    }
    await engine.chat({ model: "a/bad", messages }).catch(() => {});
    await engine.chat({ model: "b/none", messages }).catch(() => {});
    const lines = records(kept.lines);
    expect(lines.map(({ level, msg, status, reason, target }) => [level, msg, status, reason, target])).toEqual([
      ["info", "chat_completion", 200, "ok", "a/good"],
      ["info", "chat_completion_stream", 200, "ok", "a/good"],
      ["warn", "chat_completion", 503, "upstream_error", undefined],
      ["warn", "chat_completion", 404, "provider_not_found", undefined],
    ]);
    expect(lines[0]).toMatchObject({
      event_id: "evt_0",
      latency: 0,
      usage: { prompt_tokens: 3, completion_tokens: 3 },
    });
    expect(kept.lines.join()).not.toContain("private");
  });

  it("tells a defect with its stack, as an error", async () => {
    const { engine, kept } = open();
    await engine.chat({ model: "a/broken", messages }).catch(() => {});
    const [defect, settled] = records(kept.lines);
    expect(defect).toMatchObject({ level: "error", msg: "defect in chat_completion", event_id: "evt_0" });
    expect(defect.err.stack).toContain("a scripted defect");
    expect(settled).toMatchObject({ level: "warn", status: 502, reason: "upstream_error" });
  });

  it("tells each try and fallback at debug", async () => {
    const { engine, kept } = open("debug");
    await engine.chat({ model: "a/bad", fallbacks: ["a/good"], messages });
    const told = records(kept.lines).map(({ msg, status }) => [msg, status]);
    expect(told).toEqual([
      ["attempted", 503],
      ["attempted", 503],
      ["attempted", 503],
      ["fell back from a/bad to a/good", undefined],
      ["attempted", 200],
      ["chat_completion", 200],
    ]);
  });

  it("counts a cancelled request as ordinary", async () => {
    const { engine, kept } = open();
    await engine.chat({ model: "a/good", messages }, { signal: AbortSignal.abort() }).catch(() => {});
    expect(records(kept.lines)).toMatchObject([{ level: "info", status: 499, reason: "request_cancelled" }]);
  });

  it("has a line for what never became the engine's, and no second one for what did", () => {
    const kept = options();
    const log = openLog(kept);
    const request = { eventId: "evt_7", method: "GET", path: "/nope" };
    noteRefusal(log, new GatewayError("not_found", "There is no /nope."), request);
    noteRefusal(log, new GatewayError("not_found", "…", { eventId: "evt_7" }), request);
    noteRefusal(log, new GatewayError("internal", "…", { cause: new Error("oops") }), request);
    const [refusal, defect, ...rest] = records(kept.lines);
    expect(refusal).toEqual({ level: "warn", event_id: "evt_7", status: 404, reason: "not_found", msg: "GET /nope" });
    expect(defect).toMatchObject({ level: "error", status: 500, err: { message: "oops" } });
    expect(rest).toEqual([]);
  });
});

describe("secrets", () => {
  const secret = 'sk-"quoted"\\and-long';

  it("never get into the log, wherever they are put", async () => {
    const kept = options("info", scrubberOf([secret]));
    const log = openLog(kept);
    log.info({ url: `https://a/?key=${secret}`, err: new Error(`failed with ${secret}`) }, `asked with ${secret}`);
    const all = kept.lines.join();
    expect(all).toContain("[redacted]");
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), "quoted"]) expect(all).not.toContain(form);
    expect(records(kept.lines)[0].msg).toBe("asked with [redacted]");
  });

  it("are hidden by the names of fields, too", () => {
    const kept = options();
    openLog(kept).info(
      { apiKey: "a-b-c", headers: { authorization: "d-e-f" }, provider: { token: "g-h-i", name: "openai" } },
      "options",
    );
    openLog(kept).error({ err: Object.assign(new Error("failed"), { headers: "j-k-l", code: "E_OFF" }) }, "failed");
    openLog(kept).warn(
      { cause: Object.assign(new Error("failed"), { authorization: "m-n-o", code: "E_FAR" }) },
      "cause",
    );
    expect(kept.lines.join()).not.toMatch(/a-b-c|d-e-f|g-h-i|j-k-l|m-n-o/);
    expect(records(kept.lines)).toMatchObject([
      { apiKey: "[redacted]", headers: "[redacted]", provider: { token: "[redacted]", name: "openai" } },
      { err: { message: "failed", headers: "[redacted]", code: "E_OFF" } },
      { cause: { authorization: "[redacted]", code: "E_FAR" } },
    ]);
  });

  it("of the environment are those named like one", () => {
    const env = {
      OPENAI_API_KEY: "sk-0123456789",
      DB_PASSWORD: " hunter2hunter2 ",
      SHORT_KEY: "abc",
      HOME: "/home/somebody",
      KEYBOARD: "qwertzuiop",
    };
    expect(secretsIn(env)).toEqual(["sk-0123456789", "hunter2hunter2"]);
  });

  it("leave nothing of a longer one that begins like a shorter one", () => {
    expect(scrubberOf(["sk-0123", "sk-0123-4567"])("a sk-0123-4567 b sk-0123 c")).toBe("a [redacted] b [redacted] c");
  });

  it("are known by their shape where a caller sends a key of ours as a path or a model", () => {
    const { value } = mintKey(new Uint8Array(32).fill(7), "SK-own_");
    const token = mintToken(new Uint8Array(32).fill(9)).value;
    const kept = options("info", scrubberOf([], "SK-own_"));
    openLog(kept).info(
      { path: `/v1/${value}`, model: token, name: "sk-own_ab12" },
      `asked for ${value}/x and ${token}`,
    );
    expect(records(kept.lines)).toEqual([
      {
        level: "info",
        path: "/v1/sk-own_[redacted]",
        model: "tg_at_[redacted]",
        name: "sk-own_ab12",
        msg: "asked for sk-own_[redacted]/x and tg_at_[redacted]",
      },
    ]);
  });

  it("are all gone", () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", '"', "\\"), minLength: 6, maxLength: 9 }), {
          maxLength: 4,
        }),
        fc.string(),
        (secrets, filler) => {
          const text = `${filler}${secrets.map((each) => each + JSON.stringify(each)).join(filler)}`;
          const clean = scrubberOf(secrets)(text);
          for (const each of secrets) expect(clean).not.toContain(each);
        },
      ),
    ));
});

describe("a line for people", () => {
  const time = new Date(2026, 10, 20, 7, 8, 9).toISOString();
  const done = {
    time,
    level: "info",
    msg: "chat_completion",
    event_id: "evt_1",
    status: 200,
    reason: "ok",
    model_requested: "a/b",
  };

  it.each([
    [{ ...done, target: "a/b", latency: 12 }, "07:08:09 info  200 chat_completion a/b 12 ms evt_1\n"],
    [
      {
        ...done,
        target: "c/d",
        latency: 2_345,
        time_to_first_token: 99,
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: { total_cost: 0.00042 } },
        warnings: ["x", "y"],
      },
      "07:08:09 info  200 chat_completion a/b → c/d 2.3 s (first after 99 ms) 1+2 tokens $0.00042 (2 warnings) evt_1\n",
    ],
    [
      { ...done, level: "warn", status: 404, reason: "provider_not_found", latency: 0 },
      "07:08:09 warn  404 chat_completion a/b provider_not_found 0 ms evt_1\n",
    ],
    [{ time, level: "info", msg: "draining" }, "07:08:09 info  draining\n"],
    [
      { time, level: "error", msg: "defect", err: { stack: "Error: x\n    at y" } },
      "07:08:09 error defect\n    Error: x\n        at y\n",
    ],
  ])("%j", (record, line) => expect(formatRecord(record)).toBe(line));

  it("stays one line, without commands to the terminal, whatever a caller asked for", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (model_requested) => {
        const line = formatRecord({ ...done, model_requested });
        expect(line.match(/[\p{Cc}]/gu)).toEqual(["\n"]);
        expect(line.length).toBeLessThan(210);
      }),
    ));
});

it("the engine of the package is the one that the journal listens to", async () => {
  const kept = options();
  const engine = createEngine({ providers: [{ name: "none" }] });
  openRequestLog(engine, kept);
  await engine.chat({ model: "none/x", messages }).catch(() => {});
  expect(records(kept.lines)).toMatchObject([{ level: "warn", reason: "unsupported_operation" }]);
  await engine.close();
});
