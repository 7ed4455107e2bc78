import type { AreaTools } from "../../area.ts";

/** The areas about who may do and spend what; an area is a line here. */
export function tenancyBackends(_tools: AreaTools) {
  return {};
}
