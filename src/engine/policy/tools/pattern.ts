/** Whether a pattern means a name. Linear in both: each part between two `*` is looked for once, behind the one before. */
export function isMeant(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return name === pattern;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
