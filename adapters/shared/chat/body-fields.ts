import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

/** A vendor's request body. Paths in it are names with dots between them: `reasoning.effort`. */
export type SentBody = Readonly<Record<string, unknown>>;

/** What stands at a path; `undefined` where nothing does. */
export function fieldOf(body: SentBody, path: string): unknown {
  const [first = "", ...rest] = path.split(".");
  const inner = Object.hasOwn(body, first) ? body[first] : undefined;
  if (rest.length === 0) return inner;
  return isRecord(inner) ? fieldOf(inner, rest.join(".")) : undefined;
}

/** The body with another value at a path that it has. */
export function withField(body: SentBody, path: string, value: unknown): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  const inner = body[first];
  return { ...body, [first]: rest.length === 0 || !isRecord(inner) ? value : withField(inner, rest.join("."), value) };
}

/** The body without what stands at a path. */
export function withoutField(body: SentBody, path: string): Record<string, unknown> {
  const [first = "", ...rest] = path.split(".");
  const { [first]: inner, ...others } = body;
  return rest.length === 0 || !isRecord(inner) ? others : { ...others, [first]: withoutField(inner, rest.join(".")) };
}
