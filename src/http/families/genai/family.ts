import type { Family } from "../shared/family.ts";
import { refuse } from "./errors.ts";
import { routes, toVersion1, withStable } from "./routes.ts";

/** Google's Gemini API, in both of its versions. */
export const genai: Family = {
  prefix: "/genai/",
  routes: withStable(routes, toVersion1),
  load: () => import("./answers.ts"),
  refuse,
};
