/** The state that an address holds: texts, and lists where a name is repeated. */
export type SearchValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads a query string. A name that is there once is a text, else a list. */
export function readSearch(query: string): SearchValues {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    values[name] = known === undefined ? value : typeof known === "string" ? [known, value] : [...known, value];
  }
  return values;
}

/** Writes a query string, names in order, so that equal states have equal addresses. */
export function writeSearch(values: SearchValues): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(values).sort()) {
    const value = values[name];
    for (const one of typeof value === "string" ? [value] : (value ?? [])) if (one !== "") query.append(name, one);
  }
  return query.toString();
}

/** The value as a list. */
export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

/** The value as one text: the first of a list. */
export function textOf(value: string | readonly string[] | undefined, fallback = ""): string {
  return listOf(value)[0] ?? fallback;
}
