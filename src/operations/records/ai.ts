import type { PortalRecord } from "./record.ts";

/** A user of a project, who may put keys of its own into it. It lies at the project's tenant, with the user. */
export interface StoredProjectUser extends PortalRecord {
  readonly project_id: string;
  readonly user_id: string;
}
