import type { AreaTools } from "../../area.ts";
import { usersArea } from "../users.ts";

/** The areas about who may do and spend what; an area is a line here. */
export function tenancyBackends(tools: AreaTools) {
  return {
    users: usersArea(tools),
  };
}
