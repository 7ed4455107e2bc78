import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import { ReportedFault } from "../shared/failure.ts";
import type { S3Caller } from "./client.ts";

/** A version that the store did not delete, and its reason in its own words. */
export interface Undeleted {
  readonly key: string;
  readonly version: string | undefined;
  readonly code: string | undefined;
  readonly message?: string | undefined;
}

/** What is left of a bucket: how many versions, and the first of them. */
export interface Remainder {
  readonly count: number;
  readonly first: readonly Undeleted[];
}

/** Longest part of a key that an error names. */
const longestKey = 100;

/**
 * Returns the error of a bucket that could not be emptied: a `conflict` where all that is named is locked, which the store is asked for, and
 * `backend_error` otherwise.
 */
export async function remainderError(
  store: S3Caller,
  bucket: string,
  { count, first }: Remainder,
): Promise<GatewayError> {
  const locks: (string | undefined)[] = [];
  for (const one of first) locks.push(await lockOf(store, bucket, one));
  const names = first.map(({ key }, at) => `\`${key.slice(0, longestKey)}\` (${locks[at] ?? "the store refused"})`);
  const more = count > first.length ? `, and ${count - first.length} more` : "";
  const code = locks.every((lock) => lock !== undefined) ? "conflict" : "backend_error";
  const reported = first.map((one) => [one.code, one.message].filter(Boolean).join(" ")).join("; ");
  const cause = new ReportedFault(`The object store did not delete ${count} objects: ${reported.slice(0, 1_000)}`);
  return new GatewayError(code, `${count} objects were not deleted: ${names.join(", ")}${more}.`, { cause });
}

/** Why a version is locked, in our words; undefined where it is not, or the store does not know locks. */
async function lockOf(store: S3Caller, bucket: string, { key, version }: Undeleted): Promise<string | undefined> {
  const { sdk, send } = store;
  const input = { Bucket: bucket, Key: key, VersionId: version };
  const hold = await answerOf(
    send((client, abortSignal) => client.send(new sdk.GetObjectLegalHoldCommand(input), { abortSignal })),
  );
  if (hold?.LegalHold?.Status === "ON") return "held by a legal hold";
  const retained = await answerOf(
    send((client, abortSignal) => client.send(new sdk.GetObjectRetentionCommand(input), { abortSignal })),
  );
  const until = retained?.Retention?.RetainUntilDate;
  return until === undefined ? undefined : `locked until ${until.toISOString()}`;
}

/** The store's answer; undefined where it refuses: an object without a lock is an error of S3's. */
async function answerOf<Answer>(sent: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await sent;
  } catch (thrown) {
    if (isGatewayError(thrown)) return undefined;
    throw thrown;
  }
}
