import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { rows } from "./rows.ts";

/** Cohere's API, version 2. */
export const cohere: Family = { prefix: "/cohere/", rows, load: () => import("./answers.ts"), refuse };
