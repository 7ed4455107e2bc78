import { isRecord } from "../../../shared/http/fault.ts";
import type { Visibility } from "../../shared/visibility.ts";
import type { Wire } from "../client/cloud.ts";

/**
 * The fields of a thing that a customer sees. `plain` is a text, a number, a flag or a list of these; `map` has keys of the customer's own
 * and plain values; an object names the fields of what hangs on the thing, also where that is a list.
 */
export interface FieldList {
  readonly [name: string]: "plain" | "map" | FieldList;
}

/** Returns a list of plain fields, from their names in one text. */
export function plain(names: string): FieldList {
  return Object.fromEntries(names.split(" ").map((name) => [name, "plain"]));
}

/**
 * Returns a thing as the caller sees it. Callers of the provider see all of it; customers see the fields of the list and nothing that a
 * service adds to them: names of hosts, segments and drivers are the provider's.
 */
export function narrow(wire: Wire, fields: FieldList, { isWhole }: Pick<Visibility, "isWhole">): Wire {
  return isWhole ? wire : keepFields(wire, fields);
}

function keepFields(wire: Wire, fields: FieldList): Wire {
  const shown = Object.keys(fields).flatMap((name) => {
    if (!Object.hasOwn(wire, name)) return [];
    const value = keepValue(wire[name], fields[name] as FieldList[string]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(shown);
}

/** Returns undefined for a value of another shape than the list says. */
function keepValue(value: unknown, field: FieldList[string]): unknown {
  if (field === "plain") return plainOf(value);
  if (value === null) return null;
  if (field === "map") return isRecord(value) ? mapOf(value) : undefined;
  if (Array.isArray(value)) return value.filter(isRecord).map((item) => keepFields(item, field));
  return isRecord(value) ? keepFields(value, field) : undefined;
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isPlain);
  return isPlain(value) ? value : undefined;
}

function isPlain(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function mapOf(wire: Wire): Wire {
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => isPlain(value)));
}
