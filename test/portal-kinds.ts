import type { Store } from "../src/engine/ports/store.ts";
import { portalKinds } from "../src/operations/record-kinds.ts";

/** A store that knows what a portal keeps, as `createPortal` has it: for tests of the portal's parts. */
export function withPortalKinds<One extends Pick<Store, "records">>(store: One): One {
  store.records.define(portalKinds);
  return store;
}
