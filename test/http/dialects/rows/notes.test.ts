import { expect, test } from "vitest";
import { invalidRequest } from "../../../../src/engine/dialects/refusals.ts";
import { readRequest as readCohere } from "../../../../src/http/dialects/cohere/request.ts";
import {
  newNotes,
  warningHeaders,
  warnOfRest,
  warnUnsupportedFields,
} from "../../../../src/http/dialects/shared/translation-warnings.ts";

test("without warnings there is no header", () => {
  expect(warningHeaders(newNotes(), [])).toEqual({});
});

test("the header is a JSON list in ASCII, each warning once, under the caller's names", () => {
  const headers = warningHeaders(newNotes({ stop: "stop_sequences" }), ["`stop` grüße 🌊", "`stop` grüße 🌊", "b\n"]);
  const text = headers["x-tg-warnings"] ?? "";
  expect(text).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(text)).toEqual(["`stop_sequences` grüße 🌊", "b\n"]);
});

test("what the translation says has the caller's names already, though ours may be called the same", () => {
  const notes = newNotes({ "messages.2": "messages.2.content.0", "tools.0": "tools.1" });
  warnUnsupportedFields(notes, "messages.2.content.0.is_error");
  warnUnsupportedFields(notes, "tools.0.eager");
  const text = warningHeaders(notes, ["`tools.0` of type custom"])["x-tg-warnings"] ?? "";
  expect(JSON.parse(text)).toEqual([
    "`messages.2.content.0.is_error` has no counterpart and is left out",
    "`tools.0.eager` has no counterpart and is left out",
    "`tools.1` of type custom",
  ]);
});

test("more warnings than a header may hold are counted", () => {
  const many = Array.from({ length: 300 }, (_, at) => `warning ${at} of many`);
  const text = warningHeaders(newNotes(), many)["x-tg-warnings"] ?? "";
  expect(text.length).toBeLessThan(4_200);
  const told = JSON.parse(text) as string[];
  expect(told.at(-1)).toBe(`and ${300 - (told.length - 1)} more`);
  expect(told.slice(0, -1)).toEqual(many.slice(0, told.length - 1));
});

test("what is neither known nor empty is named with its place", () => {
  const notes = newNotes();
  warnOfRest({ a: 1, b: null, c: undefined, d: [], e: false, f: {} }, new Set(["a"]), { notes, path: "tools.0." });
  expect(notes.warnings).toEqual([
    "`tools.0.e` has no counterpart and is left out",
    "`tools.0.f` has no counterpart and is left out",
  ]);
  warnUnsupportedFields(notes, "x", "is asked for as y");
  expect(notes.warnings.at(-1)).toBe("`x` is asked for as y");
});

test("a refusal names its field", () => {
  expect(invalidRequest("tools.0.type", "is not offered.")).toMatchObject({
    code: "invalid_request",
    param: "tools.0.type",
    message: "`tools.0.type` is not offered.",
  });
});

test("Cohere's fields are named as Cohere names them", () => {
  const { origins } = readCohere({ model: "a/m", messages: [] }).notes;
  expect(["reasoning", "reasoning.max_tokens", "top_k"].map((field) => origins.get(field))).toEqual([
    ...["thinking", "thinking.token_budget", "k"],
  ]);
});
