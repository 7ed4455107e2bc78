import type { Family } from "../shared/family.ts";
import { routes } from "./routes.ts";

/** OpenAI's Responses API, without its storage. Its errors have the shape of ours. */
export const responses: Family = { prefix: "/v1/responses", routes, load: () => import("./answers.ts") };
