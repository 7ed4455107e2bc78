import { createCustomer } from "../records/create-owner.ts";
import { recordGroup } from "../records/group.ts";

/** `tollgate customer …`. */
export const customer = recordGroup("customer", {
  about: "Manages customers. The limits of a customer apply to the total of its projects and keys.",
  create: createCustomer,
});
