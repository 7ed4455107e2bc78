import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { type Checks, callable, duration, flag, object, positive, text } from "../../shared/options.ts";

/** How to reach an object store that speaks S3. Whose buckets are touched is decided by the key pairs of the caller's projects. */
export interface S3Options {
  /**
   * Addresses of the store, e.g. `https://s3.eu-1.example`; the first is the usual one. Callers name one of these: a request signed
   * with their keys goes nowhere else.
   */
  readonly endpoints: readonly [string, ...string[]];
  /** The region of the signatures; `us-east-1` unless given, which Ceph takes for any. */
  readonly region?: string | undefined;
  /** Whether the bucket stands in the path rather than in the host's name; true unless given. */
  readonly pathStyle?: boolean | undefined;
  /**
   * How a bucket policy names a project. Unless given, as Ceph does for identities of Keystone: `arn:aws:iam::<project_id>:root`. Ceph
   * takes other forms too, without an error, and grants nothing.
   */
  readonly principal?: ((projectId: string) => string) | undefined;
  /** How long one operation may take, in milliseconds or as text; `"30s"` unless given. */
  readonly timeout?: Duration | undefined;
  /** How long the deletion of all objects of a bucket may take, in milliseconds or as text; `"10m"` unless given. */
  readonly deletionTimeout?: Duration | undefined;
  /** Objects that are listed and deleted at a time, 1 to 1,000; 1,000 unless given. */
  readonly pageSize?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The principal of a project in a bucket policy of Ceph, where the identity of every key pair of Keystone is its project. */
export function cephPrincipal(projectId: string): string {
  return `arn:aws:iam::${projectId}:root`;
}

const isWeb = (address: unknown) => /^https?:$/.test(URL.parse(String(address))?.protocol ?? "");

export const s3Checks: Checks<S3Options> = {
  endpoints: [
    (endpoints) => Array.isArray(endpoints) && endpoints.length > 0 && endpoints.every(isWeb),
    "a list of absolute http or https URLs, at least one",
  ],
  region: text,
  pathStyle: flag,
  principal: callable,
  timeout: duration,
  deletionTimeout: duration,
  pageSize: positive,
  clock: object,
};
