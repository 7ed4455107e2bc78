import { expect, test } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { inCallerFields, nameFields, originOf } from "../../../../src/http/request/field-names.ts";

const origins = new Map([
  ["stop", "stop_sequences"],
  ["messages.2", "messages.1.content.0"],
  ["reasoning", "thinking"],
  ["reasoning.effort", "output_config.effort"],
]);

test.each([
  ["stop", "stop_sequences"],
  ["stop.1", "stop_sequences"],
  ["stopping", "stopping"],
  ["messages.2.content.0.text", "messages.1.content.0"],
  ["messages.20", "messages.20"],
  ["reasoning.effort", "output_config.effort"],
  ["reasoning.max_tokens", "thinking"],
  ["", ""],
])("%s is %s: the longest known name around it wins", (path, name) => {
  expect(originOf(path, origins)).toBe(name);
});

test("fields between backticks are renamed in a text, and nothing else is", () => {
  expect(inCallerFields("`stop` and `reasoning.effort`: stop at `a b`, `stop", origins)).toBe(
    "`stop_sequences` and `output_config.effort`: stop at `a b`, `stop",
  );
});

test("an error of ours names the caller's fields in param and message, and keeps all else", () => {
  const error = new GatewayError("invalid_request", "`stop.0`: too long", { param: "stop.0", eventId: "e" });
  expect(nameFields(error, origins)).toMatchObject({
    code: "invalid_request",
    message: "`stop_sequences`: too long",
    param: "stop_sequences",
    eventId: "e",
  });
});

test("what a provider said stays as it is, and so does everything without a dialect", () => {
  const upstream = { status: 400, param: "stop", message: "`stop` is wrong" };
  const error = new GatewayError("upstream_error", "`stop`", { upstream });
  expect(nameFields(error, origins)).toBe(error);
  const own = new GatewayError("invalid_request", "`stop`", { param: "stop" });
  expect(nameFields(own, undefined)).toBe(own);
});
