/** The texts of elements of lists that cannot change any more. */
const written = new WeakMap<object, string>();

/** A value as JSON. Frozen elements of a list are written once, the first time that they are answered. */
export function writeJson(value: unknown): string {
  if (!Array.isArray(value) || !value.some(isFixed)) return JSON.stringify(value);
  return `[${value.map((element) => (isFixed(element) ? writeOnce(element) : (JSON.stringify(element) ?? "null"))).join(",")}]`;
}

function isFixed(element: unknown): element is object {
  return typeof element === "object" && element !== null && Object.isFrozen(element);
}

function writeOnce(element: object): string {
  const known = written.get(element);
  if (known !== undefined) return known;
  const text = JSON.stringify(element) ?? "null"; // as within a list
  written.set(element, text);
  return text;
}
