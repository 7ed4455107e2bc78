import { storeOptions } from "../store/with-store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { PortalLocation, PortalWork } from "./work-on-portal.ts";

/** Options of every command that works on the portal. */
export const portalOptions = {
  ...storeOptions,
  region: { kind: "text", value: "code", about: "region; optional if there is only one" },
  json: { kind: "flag", about: "print JSON" },
} as const;

/** Opens the portal of a store file as its operator, does the work and closes it. What that takes is loaded only now. */
export async function withPortal(terminal: Terminal, location: PortalLocation, work: PortalWork): Promise<number> {
  const { workOnPortal } = await import("./work-on-portal.ts");
  return workOnPortal(terminal, location, work);
}
