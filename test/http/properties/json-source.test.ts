import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSource } from "../../../src/engine/runtime/json/json-source.ts";
import { settleBounds } from "../../../src/http/request/bounds.ts";
import { parseBody } from "../../../src/http/request/json-body.ts";

const padding = "x".repeat(5_000);
const names = fc.constantFrom("messages", "tools", "input", 'with "quotes"', "naïve", "__proto__");
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("naïve – 漢字", "\ud800", "\\", '"]}', "[{"));
/** Long lists and objects of what conversations hold. */
const long = fc.oneof(
  fc.tuple(fc.jsonValue(), text).map(([value, word]) => [{ role: "user", content: word }, value, padding]),
  fc.dictionary(text, fc.jsonValue()).map((members) => ({ ...members, padding })),
);
const body = fc.dictionary(names, fc.oneof(fc.jsonValue(), long), { minKeys: 1 });

function read(written: string): { value: Record<string, unknown>; source: JsonSource | undefined } {
  let source: JsonSource | undefined;
  const bounds = settleBounds(undefined, undefined);
  const value = parseBody(Buffer.from(written), bounds, (_, { source: found }) => {
    source = found;
  });
  return { value: value as Record<string, unknown>, source };
}

const layouts = fc.record({ indent: fc.constantFrom(0, 2), mark: fc.constantFrom("", "\ufeff") });

test("a body that is sent on, whole or with other members, is what was meant, and says what is unchanged in its author's words", () => {
  const change = fc.option(fc.tuple(names, fc.oneof(fc.jsonValue(), fc.constant(undefined), long)));
  fc.assert(
    fc.property(body, layouts, change, (written, { indent, mark }, changed) => {
      const author = mark + JSON.stringify(written, undefined, indent);
      const { value, source } = read(author);
      const sent: Record<string, unknown> = { ...structuredClone(value), model: "m" };
      if (changed) sent[changed[0]] = changed[1];
      const bytes = source?.write(sent);
      if (bytes) expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(JSON.stringify(sent)));
      const isLong = (member: unknown) => typeof member === "object" && JSON.stringify(member).includes(padding);
      const kept = Object.keys(value).filter(
        (name) => !name.includes('"') && name !== changed?.[0] && isLong(value[name]),
      );
      for (const name of kept) {
        expect(bytes?.toString()).toContain(memberText(written, name, indent));
      }
      source?.release();
      const again = source?.write(sent);
      if (again) expect(JSON.parse(again.toString())).toEqual(JSON.parse(JSON.stringify(sent)));
    }),
  );
});

test("any difference inside of a long member is sent", () => {
  fc.assert(
    fc.property(long, fc.nat(), (member, seed) => {
      const { value, source } = read(JSON.stringify({ messages: member }));
      const changed = changeOne(structuredClone(value.messages), seed);
      const sent = source?.write({ messages: changed });
      expect(JSON.parse(String(sent))).toEqual(JSON.parse(JSON.stringify({ messages: changed })));
    }),
  );
});

/** The text of one member's value as the author laid it out. A search by name would find a nested member of that name. */
function memberText(body: Record<string, unknown>, name: string, indent: number): string {
  const alone = JSON.stringify(Object.fromEntries([[name, body[name]]]), undefined, indent);
  const start = alone.indexOf(JSON.stringify(name)) + JSON.stringify(name).length + (indent ? 2 : 1);
  return alone.slice(start, indent ? -2 : -1);
}

/** The value with another leaf, a further member, or one less. */
function changeOne(value: unknown, seed: number): unknown {
  if (typeof value !== "object" || value === null) return seed % 2 ? [value] : `${value}?`;
  if (Array.isArray(value)) {
    const at = seed % (value.length + 1);
    if (at === value.length) return seed % 2 ? [...value, null] : value.slice(1);
    return value.with(at, changeOne(value[at], Math.floor(seed / (value.length + 1))));
  }
  const record: Record<string, unknown> = { ...value };
  const all = Object.keys(record);
  const name = all[seed % (all.length + 1)];
  if (name === undefined) return { ...record, further: null };
  if (seed % 3 === 0) delete record[name];
  else record[name] = changeOne(record[name], Math.floor(seed / (all.length + 1)));
  return record;
}
