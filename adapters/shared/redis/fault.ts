import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";

/** First words of what a server answers that cannot run anything just now, and why. */
const sentences: Readonly<Record<string, string>> = {
  BUSY: "another script keeps it from answering",
  CLUSTERDOWN: "its cluster is down",
  LOADING: "it is still reading its data",
  MASTERDOWN: "its primary server is down",
  MISCONF: "it cannot save its data",
  NOREPLICAS: "it lacks replicas",
  OOM: "its memory is full",
  READONLY: "it may only be read; name its primary server",
  TRYAGAIN: "its cluster moves what is asked for",
};

/** What a server answers begins with a word in capitals; the errors of a connection do not. */
function codeOf(thrown: unknown): string | undefined {
  return /^([A-Z]+) /.exec(String(Object(thrown).message))?.[1];
}

/** True when a command may do later what it did not do now: its answer was lost on the way, or the server could not run it. */
export function isPassing(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === undefined || code in sentences;
}

/** Runs `work` of what `what` calls; an error that passes comes out in words. */
export async function inWords<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw toWords(what, thrown);
  }
}

/** An error that passes, in words without an address: callers over HTTP read them. Any other stays what it is. */
export function toWords(what: string, thrown: unknown): unknown {
  if (isGatewayError(thrown) || !isPassing(thrown)) return thrown;
  const why = sentences[codeOf(thrown) ?? ""] ?? "it does not answer";
  return new GatewayError("store_unavailable", `${what} cannot be used just now: ${why}.`, { cause: thrown });
}
