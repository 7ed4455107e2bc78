/**
 * A function of a text that remembers what it gave, `undefined` excepted. After `most` values its memory starts anew, so that callers, who
 * choose most texts, cannot make it grow.
 */
export function memo<Value>(make: (text: string) => Value, most = 1_000): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text);
    if (value !== undefined) return value;
    if (known.size >= most) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
