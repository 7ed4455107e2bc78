import type { PortalDeps } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { credentialsOf } from "./credentials/credentials.ts";
import { offersOf } from "./offers.ts";

/** What vendors offer, and the credentials by which they are called. */
export function vendorsOf(deps: PortalDeps) {
  return { ...offersOf(deps), ...credentialsOf(deps) } satisfies AreaBackend<"ai">;
}
