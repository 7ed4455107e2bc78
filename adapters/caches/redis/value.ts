import type { CachedAnswer } from "../../../src/engine/ports/answers.ts";

/** An answer as one text: a line of JSON with all but the body, and the body as it is. */
export function writeAnswer({ body, ...rest }: CachedAnswer): string {
  return `${JSON.stringify(rest)}\n${body}`;
}

/** Reads what {@link writeAnswer} wrote; of anything else nothing. */
export function readAnswer(text: string): CachedAnswer | undefined {
  const end = text.indexOf("\n");
  if (end < 0) return undefined;
  const rest = parse(text.slice(0, end));
  const { provider, deployment, cost, warnings, storedAt, expiresAt } = Object(rest) as Partial<CachedAnswer>;
  const isWhole =
    [provider, deployment].every((name) => typeof name === "string") &&
    [cost, storedAt, expiresAt].every(Number.isFinite) &&
    Array.isArray(warnings) &&
    warnings.every((warning) => typeof warning === "string");
  if (!isWhole) return undefined;
  return { body: text.slice(end + 1), ...(rest as Omit<CachedAnswer, "body">) }; // looked at, field by field
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
