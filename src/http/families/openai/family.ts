import type { Family } from "../shared/family.ts";
import { rows } from "./rows.ts";

/** OpenAI's API under its own names. Its errors have the shape of ours. */
export const openai: Family = { prefix: "/openai/", rows, load: () => import("./answers.ts") };
