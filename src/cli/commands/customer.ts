import { createCustomer } from "../records/create-owner.ts";
import { recordGroup } from "../records/group.ts";

/** `tollgate customer …`. */
export const customer = recordGroup("customer", {
  about: "Customers: their limits hold for all of their projects and keys together.",
  create: createCustomer,
});
