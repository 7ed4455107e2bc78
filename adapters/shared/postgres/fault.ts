import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";

/** What is kept in the database, as errors call it. */
export type DatabaseContent = "store" | "vectors";

/** The server took a write for one to a standby: after a fail-over, the address may lead to the new primary by now. */
const readOnly = "25006";

/** Codes and classes of PostgreSQL's errors that somebody must act on, and how. */
const sentences: Readonly<Record<string, string>> = {
  "28": "it refuses the login; check its name and password",
  "3D": "there is no such database; make it, or name another one",
  "42501": "the login lacks a right there; give it CREATE on the database, or the ownership of the schema",
  "42P01": "its tables are not there any more; open it anew, or bring them back from a backup",
  "53100": "its disk is full",
  "53300": "it has no connection left",
  [readOnly]: "it may only be read; name its primary server",
  "57014": "it took too long",
};

/** Classes for data that the server will refuse the next time, too. */
const unfit: ReadonlySet<string> = new Set(["22", "23", "54"]);

/** PostgreSQL's code of an error; undefined where it is not the server's own. */
function codeOf(thrown: unknown): string | undefined {
  const { code, severity } = Object(thrown);
  return typeof code === "string" && typeof severity === "string" ? code : undefined;
}

/** True when the server itself reported the error of a statement, so that its connection can be reused. */
export function isReported(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code !== undefined && code !== readOnly && Object(thrown).severity === "ERROR";
}

/** True when the written data is the cause: the same write will be refused again. */
export function isUnfit(thrown: unknown): boolean {
  return unfit.has(codeOf(thrown)?.slice(0, 2) ?? "");
}

/** Runs `work`; an error of the server's, or of the way to it, comes out in words. */
export async function inWords<Result>(of: DatabaseContent, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    throw toWords(of, thrown);
  }
}

/** An error in words. They name no address: callers over HTTP read them. */
export function toWords(of: DatabaseContent, thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  const code = codeOf(thrown);
  if (isUnfit(thrown))
    return new GatewayError("internal", `PostgreSQL refuses what was to be written (${code}).`, {
      param: of,
      cause: thrown,
    });
  const why = code === undefined ? "it does not answer" : (sentences[code] ?? sentences[code.slice(0, 2)]);
  const message = `The ${of} in PostgreSQL cannot be used just now: ${why ?? `it answers with its error ${code}`}.`;
  return new GatewayError("store_unavailable", message, { cause: thrown });
}
