/**
 * Makes a value unchangeable, all the way down: it may be shared with whoever asks for it. What is frozen already is taken to be
 * so all the way down.
 */
export function freezeAll<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeAll(part);
  return value;
}
