import type { Family } from "../shared/family.ts";
import { rows } from "./rows.ts";

/** The Model Context Protocol over the engine's verbs. */
export const mcp: Family = { prefix: "/mcp", rows, load: () => import("./answers.ts") };
