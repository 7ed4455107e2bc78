import type { Family } from "../shared/family.ts";
import { routes } from "./routes.ts";

/** OpenAI's API under its own names. Its errors have the shape of ours. */
export const openai: Family = { prefix: "/openai/", routes, load: () => import("./answers.ts") };
