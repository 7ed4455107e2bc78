import { createHash, randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Clock } from "../../../../src/engine/ports/clock.ts";
import { bucketNameForm } from "../../../../src/engine/runtime/bucket-name.ts";
import { writeWhole } from "../files.ts";
import type { Inventory, Resource } from "../inventory.ts";

/** A bucket: whose it is, and which projects may read it. */
export interface Bucket {
  readonly name: string;
  /** The infrastructure project that owns it. */
  readonly project_id: string;
  readonly isVersioned: boolean;
  readonly readers: readonly string[];
  /** RFC 3339; absent for a bucket of an older version. */
  readonly created_at?: string;
}

/** One version of an object, or the mark that it was deleted. */
export interface ObjectVersion {
  readonly key: string;
  readonly version_id: string;
  readonly isDeleted: boolean;
  readonly size: number;
  /** SHA-256 of the bytes. */
  readonly sum: string;
  /** RFC 3339; absent for an object of an older version. */
  readonly modified_at?: string;
}

/** The object store of a folder. What lies in a bucket is in the inventory, the bytes are files. */
export interface ObjectStore {
  /** Throws `conflict` for a name that is taken. */
  makeBucket(bucket: Omit<Bucket, "readers" | "created_at">): Promise<void>;
  findBucket(name: string): Promise<Bucket | undefined>;
  buckets(): Promise<readonly Bucket[]>;
  /** Removes a bucket in which there is nothing; one that is not there already is none. */
  removeBucket(name: string): Promise<void>;
  /** Changes who may read a bucket, by a function of who may at that moment; its owner always may. Throws `not_found`. */
  changeReaders(name: string, by: (readers: readonly string[]) => readonly string[]): Promise<void>;
  put(bucket: string, key: string, bytes: Uint8Array): Promise<void>;
  /** Marks an object of a versioned bucket as deleted; in any other it is gone. */
  remove(bucket: string, key: string): Promise<void>;
  /** The newest version; nothing when there is none, or it is deleted. */
  find(bucket: string, key: string): Promise<ObjectVersion | undefined>;
  /** The bytes of a version. Throws `backend_error` when the disk has lost or changed them. */
  read(version: ObjectVersion): Promise<Buffer>;
  versions(bucket: string): Promise<readonly ObjectVersion[]>;
  /** Removes a version with its bytes. */
  purge(bucket: string, version: ObjectVersion): Promise<void>;
}

/** The store of a folder. */
export function openObjects(inventory: Inventory, folder: string, clock: Pick<Clock, "now">): ObjectStore {
  const now = () => new Date(clock.now()).toISOString();
  return { ...bucketsOf(inventory, now), ...versionsOf(inventory, folder, now) };
}

const findBucket = async (inventory: Inventory, name: string) =>
  (await inventory.find("buckets", name)) as unknown as Bucket | undefined; // seam: written by `makeBucket`

async function readBucket(inventory: Inventory, name: string): Promise<Bucket> {
  const bucket = await findBucket(inventory, name);
  if (bucket !== undefined) return bucket;
  throw new GatewayError("not_found", `There is no bucket \`${name}\`.`, { param: "bucket" });
}

function checkName(name: string): void {
  if (name.length >= 3 && name.length <= 63 && bucketNameForm.test(name)) return;
  const message = "`name` must be 3 to 63 lower-case letters, digits, hyphens and single dots.";
  throw new GatewayError("invalid_request", message, { param: "name" });
}

type Buckets = Pick<ObjectStore, "makeBucket" | "findBucket" | "buckets" | "removeBucket" | "changeReaders">;

function bucketsOf(inventory: Inventory, now: () => string): Buckets {
  return {
    buckets: async () => (await inventory.list("buckets")) as unknown as Bucket[], // seam: written by `makeBucket`
    findBucket: (name) => findBucket(inventory, name),
    async removeBucket(name) {
      if ((await inventory.list(`objects.${name}`)).length > 0)
        throw new GatewayError("conflict", "The bucket is not empty.", { param: "bucket" });
      await inventory.remove("buckets", name);
    },
    async makeBucket(bucket) {
      checkName(bucket.name);
      if ((await findBucket(inventory, bucket.name)) !== undefined)
        throw new GatewayError("conflict", "The name of the bucket is taken.", { param: "bucket" });
      await inventory.put("buckets", bucket.name, { ...bucket, readers: [], created_at: now() });
    },
    async changeReaders(name, by) {
      await readBucket(inventory, name);
      await inventory.change("buckets", name, (item) => {
        const { readers } = item as unknown as Bucket; // seam: written by `makeBucket`
        return { ...item, readers: [...by(readers)] };
      });
    },
  };
}

type Versions = Pick<ObjectStore, "put" | "remove" | "find" | "read" | "versions" | "purge">;

function versionsOf(inventory: Inventory, folder: string, now: () => string): Versions {
  const fileOf = ({ version_id }: ObjectVersion) => join(folder, "objects", version_id);
  const kindOf = (bucket: string) => `objects.${bucket}`;
  const versions = async (bucket: string) => (await inventory.list(kindOf(bucket))) as unknown as ObjectVersion[]; // seam: written by `keep`
  const purge = async (bucket: string, version: ObjectVersion) => {
    await inventory.remove(kindOf(bucket), version.version_id);
    await rm(fileOf(version), { force: true });
  };
  const save = async (bucket: string, version: ObjectVersion) => {
    const { isVersioned } = await readBucket(inventory, bucket);
    const former = isVersioned ? [] : (await versions(bucket)).filter(({ key }) => key === version.key);
    const isStored = !version.isDeleted || isVersioned;
    if (isStored) await inventory.put(kindOf(bucket), version.version_id, version as unknown as Resource);
    for (const one of former) await purge(bucket, one);
  };
  return {
    versions,
    purge,
    async put(bucket, key, bytes) {
      const present = await versions(bucket);
      const sum = sumOf(bytes);
      const made = { version_id: nextId(present), modified_at: now() };
      const version = { key, isDeleted: false, size: bytes.length, sum, ...made };
      await readBucket(inventory, bucket);
      await writeWhole(fileOf(version), async (file) => void (await file.write(bytes, 0, bytes.length, 0)));
      await save(bucket, version);
    },
    async remove(bucket, key) {
      const version_id = nextId(await versions(bucket));
      await save(bucket, { key, version_id, isDeleted: true, size: 0, sum: "" });
    },
    async find(bucket, key) {
      const own = (await versions(bucket)).filter((version) => version.key === key);
      const newest = own.toSorted((one, other) => (one.version_id < other.version_id ? -1 : 1)).at(-1);
      return newest?.isDeleted ? undefined : newest;
    },
    async read(version) {
      const bytes = await readFile(fileOf(version)).catch(() => undefined);
      if (bytes !== undefined && sumOf(bytes) === version.sum) return bytes;
      throw new GatewayError("backend_error", `The object \`${version.key}\` is lost or damaged on disk.`);
    },
  };
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Later versions of a bucket sort behind earlier ones, also those of the same millisecond. */
function nextId(present: readonly ObjectVersion[]): string {
  const last = Math.max(0, ...present.map(({ version_id }) => Number.parseInt(version_id, 10)));
  return `${String(last + 1).padStart(12, "0")}-${randomUUID()}`;
}

/** What a project gets for reading an object with its own keys: 403 for who may not, as an object store answers. */
export function mayRead({ project_id, readers }: Bucket, project: string): boolean {
  return project === project_id || readers.includes(project);
}
