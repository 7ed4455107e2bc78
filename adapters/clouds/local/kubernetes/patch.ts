import { isDeepStrictEqual } from "node:util";

/** One step of a JSON patch (RFC 6902), as far as it is used here. */
export interface PatchStep {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

type PatchNode = Record<string, unknown> | unknown[];

/** The value with a JSON patch carried out; nothing when a `test` fails or a path is not there, and then nothing was changed. */
export function applySteps<T>(value: T, steps: readonly PatchStep[]): T | undefined {
  const copy = structuredClone(value);
  return steps.every((step) => applyStep(copy as PatchNode, step)) ? copy : undefined;
}

function applyStep(root: PatchNode, { op, path, value }: PatchStep): boolean {
  const keys = path.split("/").slice(1).map(readKey);
  const last = keys.pop() ?? "";
  const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], root);
  if (typeof parent !== "object" || parent === null) return false;
  const present = (parent as Record<string, unknown>)[last];
  if (op === "test") return isDeepStrictEqual(present, value);
  if (op !== "add" && present === undefined) return false;
  if (Array.isArray(parent)) return changeList(parent, { op, path, value }, last);
  if (op === "remove") delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
  return true;
}

function changeList(list: unknown[], { op, value }: PatchStep, last: string): boolean {
  const at = last === "-" ? list.length : Number(last);
  if (!Number.isInteger(at) || at < 0 || at > list.length) return false;
  if (op === "add") list.splice(at, 0, value);
  else if (op === "remove") list.splice(at, 1);
  else list[at] = value;
  return true;
}

function readKey(key: string): string {
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The value with a merge patch (RFC 7396) carried out: objects are merged, `null` removes, lists are replaced. */
export function applyMerge(value: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const result: Record<string, unknown> = isObject ? { ...value } : {};
  for (const [key, field] of Object.entries(patch)) {
    if (field === undefined) continue;
    if (field === null) delete result[key];
    else result[key] = applyMerge(result[key], field);
  }
  return result;
}
