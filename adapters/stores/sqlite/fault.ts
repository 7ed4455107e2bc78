import { GatewayError } from "../../../src/engine/errors.ts";

/** Result codes of SQLite that have a sentence of their own; the lower eight bits of `errcode`. */
const sentences: Readonly<Record<number, string>> = {
  5: "another process has locked it",
  6: "another process has locked it",
  8: "it cannot be written; check the permissions of the file and of its folder",
  11: "it is damaged; bring it back from a backup",
  13: "the disk is full",
  14: "it cannot be opened or made there; check the permissions of its folder",
  26: "it is not a SQLite file",
};

/** What SQLite means by an error, as the end of a sentence. */
export function describeFault(thrown: unknown): string {
  const code = readCode(thrown);
  const raw = code === undefined ? undefined : sentences[code & 0xff];
  return raw ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

/** True when another connection holds the lock that was asked for. */
export function isLocked(thrown: unknown): boolean {
  const code = readCode(thrown);
  return code !== undefined && ((code & 0xff) === 5 || (code & 0xff) === 6);
}

/** Locked, not to be written, an error of the disk, a full one, gone: what a later write of the same may not meet. */
const passing: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);

/** True when the data is not the cause: the same write may succeed later. */
export function mayPass(thrown: unknown): boolean {
  const code = readCode(thrown);
  return code !== undefined && passing.has(code & 0xff);
}

/** A store file, as far as a sentence about it goes. */
interface StoreFile {
  readonly path: string;
}

/** Runs `work`; an error of SQLite's own comes out in words. */
export function inWords<Result>(context: StoreFile, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw toWords(context, thrown);
  }
}

/** An SQLite error in words, any other as it is. A temporary failure omits the path, since HTTP callers read it. */
export function toWords({ path }: StoreFile, thrown: unknown): unknown {
  if (readCode(thrown) === undefined) return thrown;
  const why = describeFault(thrown);
  if (mayPass(thrown))
    return new GatewayError("store_unavailable", `The store cannot be used just now: ${why}.`, { cause: thrown });
  return new GatewayError("internal", `The store ${path} cannot be used: ${why}.`, { param: "store", cause: thrown });
}

function readCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return undefined;
  return typeof thrown.errcode === "number" ? thrown.errcode : undefined;
}
