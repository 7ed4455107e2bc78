import { isRecord } from "../../../shared/http/fault.ts";
import type { Wire } from "./cloud.ts";

/** A text of the wire; services leave out what has no value, or send null or an empty text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A text that a thing cannot be without, such as its id. */
export function idOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** An object of the wire. */
export function objectOf(value: unknown): Wire | undefined {
  return isRecord(value) ? value : undefined;
}

/** The objects of a list of the wire. */
export function objectsOf(value: unknown): Wire[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** An object without what has no value, so that optional fields are left out. */
export function withoutNothing<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}

const naive = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)$/;

/** An instant in RFC 3339: Cinder and Octavia leave the zone out and mean UTC. */
export function instantOf(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const parts = naive.exec(text);
  const whole = parts === null ? text : `${parts[1]}T${parts[2]}Z`;
  return Number.isNaN(Date.parse(whole)) ? undefined : whole;
}

/** Fields of volumes, snapshots, backups and what hangs on load balancers and networks that hold an instant. */
const instants = ["created_at", "updated_at", "data_timestamp", "launched_at", "terminated_at"];

/** A raw object whose instants are in RFC 3339; everything else is left as it came. */
export function withInstants(wire: Wire): Wire {
  const changed = instants.filter((name) => naive.test(String(wire[name])));
  return { ...wire, ...Object.fromEntries(changed.map((name) => [name, instantOf(wire[name])])) };
}

/** Things in the order of their making, then of their id; those that do not say when come first. */
export function inOrder<T extends { readonly id?: unknown }>(
  items: readonly T[],
  createdAt: (item: T) => unknown,
): T[] {
  const keyed = items.map((item) => ({ thing: item, key: [String(createdAt(item) ?? ""), idOf(item.id)] as const }));
  keyed.sort(({ key: [one, oneId] }, { key: [other, otherId] }) => compare(one, other) || compare(oneId, otherId));
  return keyed.map(({ thing: item }) => item);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
