import type { PortalCall } from "./call/call.ts";

/** Something that lies in an infrastructure project. */
export interface Belonging {
  /** What it is, in the plural: `servers`, `buckets`. */
  readonly kind: string;
  readonly id: string;
  readonly name?: string | undefined;
}

/** Something that could not be deleted now. */
export interface Undeletable extends Belonging {
  readonly reason: string;
}

/** A project whose contents are looked at. */
export interface LookedProject {
  readonly project_id: string;
  /** Key pairs of the project for its object store, the likeliest first. */
  readonly keys: readonly ProjectKey[];
}

/** A key pair that a project's object store is asked with. */
export interface ProjectKey {
  readonly access: string;
  readonly secret: string;
  /** True where the cloud itself says that the pair is the project's: what is seen with another one is listed, and never deleted. */
  readonly isProven: boolean;
}

/** Lists and deletes what one back end holds in projects. */
export interface ProjectContents {
  /** Returns all of it. Throws where a part cannot be seen: nothing is inferred to be absent. */
  listContents(project: LookedProject, call: PortalCall): Promise<readonly Belonging[]>;
  /**
   * Begins the deletion of all of it, and returns what was refused. Deletions that take their time are not waited for: the list shows when they
   * have ended. May be repeated.
   */
  removeContents(project: LookedProject, call: PortalCall): Promise<readonly Undeletable[]>;
}
