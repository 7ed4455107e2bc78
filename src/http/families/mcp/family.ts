import type { Family } from "../shared/family.ts";
import { routes } from "./routes.ts";

/** The Model Context Protocol over the engine's verbs. */
export const mcp: Family = { prefix: "/mcp", routes, load: () => import("./answers.ts") };
