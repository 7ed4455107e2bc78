import { portalKinds } from "../../operations/record-kinds.ts";
import type { PortalDeps } from "../area.ts";
import { createCallByPath } from "./by-path.ts";
import { createRun, type RowCall } from "./run.ts";

/** The calls of a portal, whose kinds of records the store knows from now on: the dependencies with what calls operations by their paths, and what runs the call of a row. */
export function openRun(parts: Omit<PortalDeps, "call">): {
  readonly deps: PortalDeps;
  run(call: RowCall): Promise<unknown>;
} {
  parts.records.define(portalKinds);
  const deps: PortalDeps = { ...parts, call: createCallByPath((call) => run(call), parts.engine.newEventId) };
  const run = createRun(deps);
  return { deps, run };
}
