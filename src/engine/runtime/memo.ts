/** Characters of the longest text that is worth remembering. */
const longestText = 2_048;

/**
 * A function of a text that remembers its results, `undefined` excepted. After `most` values its memory starts anew, and a very
 * long text is not kept, so that callers, who choose most texts, cannot make it grow.
 */
export function memo<Value>(make: (text: string) => Value, most = 1_000): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text);
    if (value !== undefined) return value;
    if (known.size >= most) known.clear();
    const created = make(text);
    if (text.length <= longestText) known.set(text, created);
    return created;
  };
}
