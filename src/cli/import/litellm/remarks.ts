/** Something of the file that is not in the result, or not in the same way. */
export interface Remark {
  /** Where it stands: names and positions from the top of the document. */
  readonly path: readonly (string | number)[];
  /** Why, and what to do. Holds no value of the file: it may be a secret. */
  readonly problem: string;
}

/** FieldsByName by name. */
export type FieldsByName = Readonly<Record<string, unknown>>;

/** What is known of a field that is not converted, by its name. */
export type Reasons = Readonly<Record<string, string>>;

/** The value as fields; none where it is no object. */
export function fieldsOf(value: unknown): FieldsByName {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as FieldsByName) : {};
}

/** The value as a list; none where it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text, unless it is empty or something else. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The number from 0, which may be written as a text. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** LiteLLM's `os.environ/NAME` as a reference of tollgate's; `undefined` for any other value. */
export function referenceIn(value: unknown): string | undefined {
  const [, name] = /^os\.environ\/(\w+)$/.exec(textIn(value) ?? "") ?? [];
  return name === undefined ? undefined : `env:${name}`;
}

/** A remark for each field that is not among `known`. */
export function remarkOthers(fields: FieldsByName, known: ReadonlySet<string>, reasons: Reasons): Remark[] {
  return Object.keys(fields)
    .filter((name) => !known.has(name))
    .map((name) => {
      const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined;
      return { path: [name], problem: reason ?? "has no counterpart" };
    });
}

/** The remarks below a place of the document. */
export function below(path: Remark["path"], remarks: readonly Remark[]): Remark[] {
  return remarks.map((remark) => ({ ...remark, path: [...path, ...remark.path] }));
}
