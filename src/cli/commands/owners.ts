import { createCustomer, createProject } from "../records/create-owner.ts";
import { recordGroup } from "../records/group.ts";

/** `tollgate project …`. */
export const project = recordGroup("project", {
  about:
    "Manages projects (teams). The limits of a project apply to the total of its keys. A project may belong to a customer.",
  create: createProject,
});

/** `tollgate customer …`. */
export const customer = recordGroup("customer", {
  about: "Manages customers. The limits of a customer apply to the total of its projects and keys.",
  create: createCustomer,
});
