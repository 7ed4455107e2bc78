import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { routes } from "./routes.ts";

/** Anthropic's Messages API. */
export const anthropic: Family = { prefix: "/anthropic/", routes, load: () => import("./answers.ts"), refuse };
