import type { FieldSchema } from "./schema.ts";

/** One field of an element, as `GET /dashboard/{path}` names it. */
export interface ElementField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** `text`, `money`, `instant`, `id:ai.projects`, …: how the value is shown. */
  readonly format: string;
  /** 1 is shown first. */
  readonly priority: number;
  readonly hidden: boolean;
  readonly unit?: "ms" | "s";
  readonly source?: ChoiceSource;
}

/** The element and the fields of its rows that the values of an input are chosen from. */
export interface ChoiceSource {
  readonly element: string;
  readonly value: string;
  readonly label: string;
}

/** An operation as a dashboard shows it. */
export interface DashboardElement {
  readonly id: string;
  readonly kind: "table" | "details" | "form" | "action";
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string;
  readonly path_params: readonly string[];
  readonly confirm: "none" | "ask" | "type";
  readonly danger: boolean;
  readonly result: "toast" | "once" | "download" | "open";
  readonly refreshes: readonly string[];
  readonly inputs: readonly ElementField[];
  readonly fields: readonly ElementField[];
}

/** Where a parameter of a path is picked from. */
export interface ParamSource {
  readonly element: string;
  readonly field: string;
  readonly label: string;
}

/** The definition of a dashboard. */
export interface DashboardDefinition {
  readonly elements: readonly DashboardElement[];
  readonly path_params: Readonly<Record<string, ParamSource>>;
  readonly schema: Readonly<Record<string, { readonly input?: FieldSchema; readonly output?: FieldSchema }>>;
}

/** The values of the path's parameters that were picked so far. */
export type Params = Readonly<Record<string, string>>;

/** The value at a dotted path: `metadata.name`. */
export function valueAt(row: unknown, path: string): unknown {
  let value = row;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** What a row is called: its name where it has one. */
export function titleOf(row: unknown): string | undefined {
  for (const path of [
    "name",
    "username",
    "metadata.name",
    "title",
    "property",
    "key",
    "model",
    "path",
    "description",
  ]) {
    const value = valueAt(row, path);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The columns of a table, in the order of their priorities; what the definition leaves to the details only where there is nothing else. */
export function columnsOf(fields: readonly ElementField[], limit = 8): readonly ElementField[] {
  const shown = fields.filter(({ hidden }) => !hidden);
  return (shown.length > 0 ? shown : fields).toSorted((one, other) => one.priority - other.priority).slice(0, limit);
}

/** Values and what they are called, from the rows of an element, or of a list within its answer: `volumes.id`. */
export function choicesOf(answer: unknown, value: string, label: string): readonly (readonly [string, string])[] {
  if (Array.isArray(answer)) return answer.flatMap((row) => choiceOf(row, value, label));
  const [list = "", ...rest] = value.split(".");
  const rows = valueAt(answer, list);
  if (rest.length === 0 || !Array.isArray(rows)) return [];
  return rows.flatMap((row) => choiceOf(row, rest.join("."), label.slice(list.length + 1)));
}

function choiceOf(row: unknown, value: string, label: string): readonly (readonly [string, string])[] {
  const isPlain = typeof row !== "object";
  const id = isPlain ? row : valueAt(row, value);
  if (id === undefined || id === null || id === "") return [];
  const name = isPlain ? undefined : valueAt(row, label);
  return [[String(id), name === undefined || name === "" ? String(id) : String(name)]];
}
