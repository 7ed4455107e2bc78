import { booksOptions } from "../books/work.ts";
import type { Terminal } from "../terminal.ts";
import type { PortalPlace, PortalWork } from "./beside.ts";

/** Options of every command that works on the portal. */
export const portalOptions = {
  ...booksOptions,
  region: { kind: "text", value: "code", about: "the region; may be left out where there is only one" },
  json: { kind: "flag", about: "print JSON" },
} as const;

/** Opens the portal of a store file as its operator, does the work and closes it. What that takes is loaded only now. */
export async function withPortal(terminal: Terminal, place: PortalPlace, work: PortalWork): Promise<number> {
  const { workOnPortal } = await import("./beside.ts");
  return workOnPortal(terminal, place, work);
}
