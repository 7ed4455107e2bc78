import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { Belonging, LookedProject, ProjectContents, Undeletable } from "../../../src/portal/project-contents.ts";
import { forgetShares } from "../shared/objectstore/shares.ts";
import { type KeyPair, type S3Caller, withStore } from "./client.ts";
import { faultName } from "./faults.ts";
import type { BucketOperation } from "./owners.ts";
import { emptyWhole } from "./versions.ts";

type Ask = Parameters<ProjectContents["listContents"]>[1];

/** The buckets of projects, as the operations of a store work. */
export function contentsOf(
  begin: <T>(call: Ask, run: (task: BucketOperation) => Promise<T>) => Promise<T>,
): ProjectContents {
  return {
    listContents: (project, call) =>
      begin(call, async (task) => {
        const found: Belonging[] = [];
        for (const endpoint of task.options.endpoints)
          found.push(
            ...(
              await asProject(task, { endpoint, project }, async ({ store }) => (await listBuckets(store)).names)
            ).map(toBelonging),
          );
        return found;
      }),
    removeContents: (project, call) =>
      begin(call, async (task) => {
        const refused: Undeletable[] = [];
        for (const endpoint of task.options.endpoints)
          refused.push(...(await asProject(task, { endpoint, project }, (asked) => removeBuckets(task, asked))));
        return refused;
      }),
  };
}

interface ProjectStore {
  readonly endpoint: string;
  readonly project: LookedProject;
}

/** A store, asked with a key pair that may be a project's. */
interface AskedStore {
  readonly store: S3Caller;
  readonly project: LookedProject;
  readonly isProven: boolean;
}

/** Runs with a key pair of a project; a project without any has no buckets that a client of S3 could have made. */
async function asProject<T>(
  task: BucketOperation,
  { endpoint, project }: ProjectStore,
  run: (asked: AskedStore) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const { options, deadline } = task;
  const found = await findKeys(task, { endpoint, project });
  if (found === undefined) return [];
  const { keys, isProven } = found;
  return withStore({ options, endpoint, keys, deadline }, (store) => run({ store, project, isProven }));
}

/** The first key pair that the store takes: one that was rotated says nothing of the buckets. Throws where the store takes none. */
async function findKeys(
  { options, deadline }: BucketOperation,
  { endpoint, project }: ProjectStore,
): Promise<{ readonly keys: KeyPair; readonly isProven: boolean } | undefined> {
  let refusal: GatewayError | undefined;
  for (const { access, secret, isProven } of project.keys) {
    const keys: KeyPair = { accessKeyId: access, secretAccessKey: secret };
    try {
      await withStore({ options, endpoint, keys, deadline }, listBuckets);
      return { keys, isProven };
    } catch (thrown) {
      if (!isGatewayError(thrown) || !refusals.has(faultName(thrown.cause) ?? "")) throw thrown;
      refusal ??= thrown;
    }
  }
  if (refusal === undefined) return undefined;
  const message = `The buckets of the project cannot be listed: ${refusal.message} A key pair that works can be stored with \`PATCH /keypair\`.`;
  throw new GatewayError("backend_error", message, { cause: refusal });
}

/** What a store says of a key pair that it does not take. */
const refusals: ReadonlySet<string> = new Set(["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch"]);

/** The buckets that a key pair's owner has, and the owner's id at the store. */
interface OwnedBuckets {
  readonly owner: string;
  readonly names: readonly string[];
}

async function listBuckets({ sdk, send }: S3Caller): Promise<OwnedBuckets> {
  const { Owner, Buckets = [] } = await send((client, abortSignal) =>
    client.send(new sdk.ListBucketsCommand({}), { abortSignal }),
  );
  if (Owner === undefined) throw new GatewayError("backend_error", "The object store gave no list of buckets.");
  return { owner: Owner.ID ?? "", names: Buckets.flatMap(({ Name }) => (Name === undefined ? [] : [Name])) };
}

const toBelonging = (id: string): Belonging => ({ kind: "buckets", id });

const unproven =
  "the key pair that was stored for the project is not one that the cloud knows as the project's; empty and delete the bucket yourself";

/** Each bucket with all versions in it, and how the portal has shared it; none that might be another project's. */
async function removeBuckets(
  { options, call }: BucketOperation,
  { store, project, isProven }: AskedStore,
): Promise<Undeletable[]> {
  const { owner, names } = await listBuckets(store);
  if (!isProven && !owner.split("$").includes(project.project_id))
    return names.map((bucket) => ({ ...toBelonging(bucket), reason: unproven }));
  const refused: Undeletable[] = [];
  for (const bucket of names) {
    try {
      await emptyWhole(store, { bucket, pageSize: options.pageSize ?? 1_000 });
      await store.send((client, abortSignal) =>
        client.send(new store.sdk.DeleteBucketCommand({ Bucket: bucket }), { abortSignal }),
      );
      await forgetShares(call, bucket);
    } catch (thrown) {
      if (!isGatewayError(thrown) || (thrown.code !== "conflict" && thrown.code !== "not_found")) throw thrown;
      if (thrown.code === "conflict") refused.push({ ...toBelonging(bucket), reason: thrown.message });
    }
  }
  return refused;
}
