import assert from "node:assert/strict";
import type { WireExpectation } from "./fixture.ts";
import { conformanceKey, type RecordedCall } from "./play.ts";
import type { SeenRequest } from "./upstream.ts";

/** The vendor was asked once, as its documentation says. */
export function checkWire(observation: readonly SeenRequest[], wire: WireExpectation): void {
  assert.equal(observation.length, 1, "the vendor is asked once");
  const [request] = observation;
  assert.equal(request?.path, wire.path);
  assert.equal(request?.method, wire.body === undefined ? "GET" : "POST");
  if (wire.body !== undefined) assert.deepEqual(request?.body, wire.body);
  for (const [name, value] of Object.entries(wire.headers ?? {})) {
    assert.equal(request?.headers[name], value.replace("{key}", conformanceKey), `header ${name}`);
  }
}

/** The caller was warned of these and of nothing else, in whatever order. */
export function checkWarnings(call: RecordedCall, expected: readonly string[] = []): void {
  assert.deepEqual([...call.warnings].sort(), [...expected].sort());
}
