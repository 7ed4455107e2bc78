import type { Family } from "../shared/family.ts";
import { rows } from "./rows.ts";

/** OpenAI's Responses API, without its storage. Its errors have the shape of ours. */
export const responses: Family = { prefix: "/v1/responses", rows, load: () => import("./answers.ts") };
