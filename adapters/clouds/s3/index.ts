import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { ProjectContents } from "../../../src/portal/project-contents.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { msOf } from "../../shared/durations.ts";
import { checkedOptions } from "../../shared/options.ts";
import { systemClock } from "../../system.ts";
import { runWithDeadline } from "../shared/deadline.ts";
import { contentsOf } from "./contents.ts";
import { operations } from "./operations.ts";
import { type S3Options, s3Checks } from "./options.ts";
import type { BucketOperation } from "./owners.ts";

export { cephPrincipal, type S3Options } from "./options.ts";

/**
 * Sharing over an object store that speaks S3 (Ceph, AWS, MinIO). It acts with the key pairs that `PATCH /keypair` has stored for the
 * caller's projects, and has no rights of its own. Needs the packages `@aws-sdk/client-s3` and `@aws-sdk/s3-request-presigner`,
 * which are loaded with the first call.
 */
export function s3(options: S3Options): AreaBackend<"objectstore"> & ProjectContents {
  checkedOptions(options, s3Checks, { of: "s3", needs: ["endpoints"] });
  const { clock = systemClock } = options;
  const [timeout, deletionTimeout] = [msOf(options.timeout, 30_000), msOf(options.deletionTimeout, 600_000)];
  const name = "The object store";
  const afterwards: BucketOperation["afterwards"] = (run) => runWithDeadline({ clock, whole: timeout, name }, run);
  const serve = (row: string, run: (task: BucketOperation, input: never) => Promise<unknown>) => {
    const whole = row === "deleteVersions" ? deletionTimeout : timeout;
    return (input: never, call: PortalCall) =>
      runWithDeadline({ clock, whole, name, signal: call.signal }, (deadline) =>
        run({ options, call, deadline, afterwards }, input),
      );
  };
  const methods = Object.entries(operations).map(([row, run]) => [row, serve(row, run)]);
  const contents = contentsOf((call, run) =>
    runWithDeadline({ clock, whole: deletionTimeout, name, signal: call.signal }, (deadline) =>
      run({ options, call, deadline, afterwards }),
    ),
  );
  return { ...(Object.fromEntries(methods) as AreaBackend<"objectstore">), ...contents }; // seam: one method per row, with that row's types
}
