import { createProject } from "../records/create-owner.ts";
import { recordGroup } from "../records/group.ts";

/** `tollgate project …`. */
export const project = recordGroup("project", {
  about: "Projects (teams): their limits hold for all of their keys together. A project may belong to a customer.",
  create: createProject,
});
