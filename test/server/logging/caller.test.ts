import fc from "fast-check";
import { expect, it } from "vitest";
import { createListener } from "../../../src/index.ts";
import { describeCaller } from "../../../src/server/logging/caller.ts";
import { noteRefusal, openRequestLog } from "../../../src/server/logging/request-log.ts";
import { scriptedEngine } from "../../../src/testing/engine.ts";
import { serve } from "../../http/support/server.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

it.each([
  [{ traceparent }, { trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" }],
  [{ traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` }, {}],
  [{ traceparent: traceparent.toUpperCase() }, {}],
  [{ traceparent: "nonsense" }, {}],
  [{ "x-request-id": "9b2e-77" }, { request_id: "9b2e-77" }],
  [{ "x-request-id": "two words" }, {}],
  [{ "x-request-id": "x".repeat(129) }, {}],
  [{ "x-request-id": ["a", "b"] }, {}],
])("%j tells %j", (headers, told) => {
  expect(describeCaller({ headers, address: undefined })).toEqual(told);
  expect(describeCaller({ headers, address: "10.0.0.7" })).toEqual({ client_address: "10.0.0.7", ...told });
});

it("whatever a header holds, the log gets what fits a line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (id, trace) => {
      const told = describeCaller({ headers: { "x-request-id": id, traceparent: trace }, address: undefined });
      for (const value of Object.values(told)) expect(value).toMatch(/^[\x21-\x7e]{1,128}$/);
    }),
  );
});

it("a line of the log has the caller's address and ids, the target, and the status of the vendor that failed", async () => {
  const engine = scriptedEngine({
    "a/good": [{ kind: "answer", text: "x" }],
    "a/bad": [{ kind: "fail", status: 529 }],
  });
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const options = { level: "info", isForPeople: false, scrub: (text: string) => text, write, now: () => 0 };
  const { log } = openRequestLog(engine as never, options);
  const onFailure = noteRefusal.bind(undefined, log);
  await using server = await serve(createListener({ engine, describeCaller, onFailure }));
  const ask = (model: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent, "x-request-id": "mine-7" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    });
  await (await ask("a/good")).text();
  await (await ask("a/bad")).text();
  await (await fetch(`${server.url}/nowhere`, { headers: { "x-request-id": "lost-8" } })).text();
  const caller = { client_address: "127.0.0.1", request_id: "mine-7", trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" };
  expect(lines).toMatchObject([
    { ...caller, status: 200, target: "a/good" },
    { ...caller, upstream_status: 529 },
    { client_address: "127.0.0.1", request_id: "lost-8", status: 404, msg: "GET /nowhere" },
  ]);
  expect(lines.some((line) => "caller" in line)).toBe(false);
});
