import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { toCsv, wantsCsv } from "../../../src/http/encoding/csv.ts";
import { createEngine, createListener } from "../../../src/index.ts";
import { createPortal } from "../../../src/portal/index.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { officePrices, providerOf } from "../../portal/support/areas/ai/office.ts";
import { serve } from "../support/server.ts";

const clock = fakeClock({ startAt: Date.UTC(2026, 10, 26) });
const store = memoryStore();
const engine = createEngine({ providers: [providerOf("one")], store, clock, prices: officePrices() });
const portal = createPortal({ engine, store, regions: { "eu-1": {} }, clock, entropy: randomBytes });
const token = (await portal.startFirst())?.token ?? "";
const server = await serve(createListener({ engine, portal }));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine.close();
});

/** Reads CSV as RFC 4180 has it: cells within quotes may hold commas, quotes twice, and ends of lines. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const line: string[] = [];
    for (let end = ","; end === ","; at++) {
      const [, quoted, bare = ""] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(text.slice(at)) ?? [];
      line.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
      at += quoted === undefined ? bare.length : quoted.length + 2;
      end = text[at] ?? "";
    }
    at++; // behind the line feed
    lines.push(line);
  }
  return lines;
}

const ask = (path: string, headers: Readonly<Record<string, string>>) =>
  fetch(server.url + path, { headers: { "auth-token": token, region: "eu-1", ...headers } });

test("cells are read as they were written, and none is a formula", () => {
  const cell = fc.oneof(
    ...[fc.string({ unit: "binary" }), fc.constantFrom("=1+1", "@x", "-3", "+4", 'a"b', "a,b", "a\r\nb", "\tx", "\rx")],
    ...[fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue()],
  );
  const row = fc.dictionary(fc.constantFrom("name", "b", "other"), cell, { minKeys: 1 });
  const rows = fc.array(row, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, (list) => {
      const { body } = toCsv(list, { columns: ["name", "none"], file: "x" });
      const [names = [], ...lines] = readCsv(String(body));
      expect(lines).toHaveLength(list.length);
      expect(new Set(names)).toEqual(new Set(list.flatMap((row) => Object.keys(row))));
      for (const [at, line] of lines.entries())
        for (const [column, text] of line.entries()) {
          const value = list[at]?.[names[column] ?? ""];
          const plain =
            typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
          expect([plain, `'${plain}`]).toContain(text);
          if (typeof value !== "number") expect(text).not.toMatch(/^[=+\-@\t\r]/);
        }
    }),
  );
});

test("a list is CSV for a client that asks for it, its fields in the order of the schema, and JSON for every other", async () => {
  const answer = await ask("/api/permissions?limit=3", { accept: "text/csv" });
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="users-permissions.csv"');
  expect(answer.headers.get("x-tg-next")).toMatch(/./);
  const [names, ...lines] = readCsv(await answer.text());
  const json = (await (await ask("/api/permissions?limit=3", {})).json()) as Record<string, unknown>[];
  expect(names).toEqual(Object.keys(json[0] ?? {}));
  expect(lines.map(([first]) => first)).toEqual(json.map((row) => Object.values(row)[0]));
  const requests = await ask("/api/ai/requests?limit=1", { accept: "text/csv, application/json;q=0.9" }); // it pages itself
  expect(await requests.text()).toMatch(/^id,|^event_id,/);
  const single = await ask("/api/context", { accept: "text/csv" });
  expect(single.headers.get("content-type")).toBe("application/json");
});

test("an answer with one list among its members is that list, and a header says where the next page begins", async () => {
  for (const name of ["a", "b"]) {
    const method = "POST";
    const headers = { "auth-token": token, region: "eu-1", "content-type": "application/json" };
    await fetch(`${server.url}/api/roles`, { method, headers, body: JSON.stringify({ name, permissions: [] }) });
  }
  const csv = { accept: "text/csv" };
  const answer = await ask("/api/audit?limit=1", csv);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="users-audit.csv"');
  const json = (await (await ask("/api/audit?limit=1", {})).json()) as { entries: { id: string }[]; next: string };
  const [names = [], ...lines] = readCsv(await answer.text());
  expect(lines.map((line) => line[names.indexOf("id")])).toEqual(json.entries.map(({ id }) => id));
  expect(answer.headers.get("x-tg-next")).toBe(json.next);
  const models = await ask("/api/ai/models", csv);
  expect(models.headers.get("content-disposition")).toBe('attachment; filename="ai-models.csv"');
  const several = await ask("/api/ai/prices", csv); // `sources` and `warnings` are lists
  expect(several.headers.get("content-type")).toBe("application/json");
});

test("an empty list has its columns", () => {
  expect(toCsv([], { columns: ["id", "name"], file: "x" }).body).toBe("id,name\r\n");
});

test("JSON is what a client gets that does not prefer CSV", () => {
  const asked = ["*/*", "", "application/json, text/csv;q=0.5", "text/html", "text/csv;q=0, */*", "text/*"];
  expect(asked.map(wantsCsv)).toEqual(asked.map(() => false));
  const csv = ["text/csv", "Text/CSV; q=0.8", "text/csv, */*;q=0.1", "application/json;q=0.5, text/csv;header=present"];
  expect(csv.map(wantsCsv)).toEqual(csv.map(() => true));
});
