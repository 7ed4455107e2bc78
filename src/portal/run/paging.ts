import { GatewayError } from "../../engine/errors.ts";
import { describeSchemaFault } from "../../engine/options/schema-fault.ts";
import type { Operation } from "../../operations/define.ts";
import { ListPage, pageFieldNames } from "../../operations/page.ts";

type CallFields = Readonly<Record<string, unknown>>;

/** The input of a call without the fields of its page, and the page; undefined for the whole list. */
export interface PagedInput {
  readonly input: CallFields;
  readonly page: ListPage | undefined;
}

/** Takes the fields of a page from the input of a list. Throws `invalid_request` naming the field. */
export function takePage({ isList }: Operation, input: CallFields): PagedInput {
  if (!isList || !pageFieldNames.some((name) => input[name] !== undefined)) return { input, page: undefined };
  const named: readonly string[] = pageFieldNames;
  const entries = Object.entries(input);
  const checked = ListPage.safeParse(Object.fromEntries(entries.filter(([name]) => named.includes(name))));
  if (!checked.success) {
    const { param, message } = describeSchemaFault(ListPage, checked.error);
    throw new GatewayError("invalid_request", `\`${param}\`: ${message}.`, { param });
  }
  return { input: Object.fromEntries(entries.filter(([name]) => !named.includes(name))), page: checked.data };
}

/**
 * Returns one page of a list: what matches `search`, in the order of `sort`, behind `after`. `showNext` receives where the next page
 * begins. Throws `invalid_request` for a field to sort by that no element has, and for an unreadable `after`.
 */
export function pageOf(
  list: readonly unknown[],
  { limit = list.length, after, search, sort }: ListPage,
  showNext: (next: string) => void,
): readonly unknown[] {
  const found = search === undefined ? list : list.filter((element) => matches(element, search.toLowerCase()));
  const sorted = sort === undefined ? found : sortBy(found, sort);
  const start = after === undefined ? 0 : startBehind(sorted, after);
  const page = sorted.slice(start, start + limit);
  if (start + limit < sorted.length) showNext(writeListCursor(start + limit - 1, page.at(-1)));
  return page;
}

function fieldsOf(element: unknown): CallFields {
  return typeof element === "object" && element !== null ? (element as CallFields) : { value: element };
}

function matches(element: unknown, wanted: string): boolean {
  return Object.values(fieldsOf(element)).some(
    (value) => typeof value === "string" && value.toLowerCase().includes(wanted),
  );
}

function sortBy(list: readonly unknown[], sort: string): readonly unknown[] {
  const isReverse = sort.startsWith("-");
  const field = isReverse ? sort.slice(1) : sort;
  if (list.length > 0 && !list.some((element) => Object.hasOwn(fieldsOf(element), field)))
    throw new GatewayError("invalid_request", `\`sort\`: no element has the field \`${field}\`.`, { param: "sort" });
  const sign = isReverse ? -1 : 1;
  return list.toSorted((one, other) => sign * compare(fieldsOf(one)[field], fieldsOf(other)[field]));
}

/** Numbers by size, everything else by its text; elements without the field come first. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [one, other].map((value) => (value === undefined || value === null ? "" : String(value)));
  return (left ?? "") < (right ?? "") ? -1 : (left ?? "") > (right ?? "") ? 1 : 0;
}

/** The name of an element in a cursor: its id, or the first text that it has. */
function nameOf(element: unknown): string {
  const fields = fieldsOf(element);
  const name = fields.id ?? Object.values(fields).find((value) => typeof value === "string");
  return String(name ?? "").slice(0, 500);
}

function writeListCursor(position: number, last: unknown): string {
  return Buffer.from(JSON.stringify([position, nameOf(last)])).toString("base64url");
}

/** Returns where the page behind a cursor begins: behind the element that it names or, where that is gone, at its position. */
function startBehind(list: readonly unknown[], cursor: string): number {
  const [position, name] = readListCursor(cursor);
  if (nameOf(list[position]) === name) return position + 1;
  const moved = list.findIndex((element) => nameOf(element) === name);
  return moved === -1 ? position : moved + 1;
}

function readListCursor(cursor: string): readonly [position: number, name: string] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(read) && Number.isSafeInteger(read[0]) && read[0] >= 0 && typeof read[1] === "string")
      return [read[0], read[1]];
  } catch {} // refused below
  throw new GatewayError("invalid_request", "`after`: is not the `x-tg-next` of a page of this list.", {
    param: "after",
  });
}
