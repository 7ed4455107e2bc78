import type { PortalDeps } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { channelsOf } from "./channels/channels.ts";
import { rulesOf } from "./rules/rules.ts";

/** Alerts, their rules and their channels: our extension. */
export function alertsArea(deps: PortalDeps): AreaBackend<"alerts"> {
  return { ...rulesOf(deps), ...channelsOf(deps) };
}
