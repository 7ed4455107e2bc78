import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { rows } from "./rows.ts";

/** Anthropic's Messages API. */
export const anthropic: Family = { prefix: "/anthropic/", rows, load: () => import("./answers.ts"), refuse };
