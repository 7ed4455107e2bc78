/**
 * Freezes a value deeply, so that it can be shared with any caller. A value that is frozen already is taken to be frozen deeply.
 */
export function freezeAll<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeAll(part);
  return value;
}
