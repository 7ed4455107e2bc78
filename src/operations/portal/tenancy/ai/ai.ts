import { aiCache } from "./cache.ts";
import { aiCustomers } from "./customers.ts";
import { aiInsights } from "./insights.ts";
import { aiKeys } from "./keys.ts";
import { aiOffers } from "./offers.ts";
import { aiPlayground } from "./playground.ts";
import { aiProjects } from "./projects.ts";
import { aiRequests } from "./requests.ts";

/** Virtual keys, their projects and customers, and what they cost. */
export const ai = {
  ...aiRequests,
  ...aiInsights,
  ...aiPlayground,
  ...aiCustomers,
  ...aiKeys,
  ...aiProjects,
  ...aiOffers,
  ...aiCache,
};
