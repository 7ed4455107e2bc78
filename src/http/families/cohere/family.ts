import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { routes } from "./routes.ts";

/** Cohere's API, version 2. */
export const cohere: Family = { prefix: "/cohere/", routes, load: () => import("./answers.ts"), refuse };
