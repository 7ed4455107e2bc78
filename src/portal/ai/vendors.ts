import type { PortalDeps } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { credentialsOf } from "./credentials/credentials.ts";
import { offersOf } from "./offers.ts";
import { toolsOf } from "./tools/tools.ts";

/** What vendors and tool servers offer, and the credentials by which vendors are called. */
export function vendorsOf(deps: PortalDeps) {
  return { ...offersOf(deps), ...credentialsOf(deps), ...toolsOf(deps) } satisfies AreaBackend<"ai">;
}
