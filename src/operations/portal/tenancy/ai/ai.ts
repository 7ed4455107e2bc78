import { z } from "zod";
import { Budget, ModelPattern, RateLimit } from "../../../../engine/api/governance.ts";
import { McpCeilings } from "../../../../engine/api/mcp/access.ts";
import { op } from "../../../define.ts";
import { flag, instant, note, title } from "../../fields.ts";
import { aiCache } from "./cache.ts";
import { aiInsights } from "./insights.ts";
import { aiKeys } from "./keys.ts";
import { aiOffers } from "./offers.ts";
import { aiPlayground } from "./playground.ts";
import { aiProjects } from "./projects.ts";
import { aiRequests } from "./requests.ts";
import { AiCustomer, AiProjectCost } from "./resources.ts";

/** Customers. */
const aiCustomers = {
  customers: op("GET /ai/customer", "ai_customer-get", "List customers", { out: z.array(AiCustomer) }),
  changeCustomer: op(
    "PATCH /ai/customer/{customer_id}",
    "ai_customer-patch",
    "Change a customer; its limits, models and state only from a level above",
    {
      in: {
        active: flag.optional(),
        budgets: z.array(Budget).max(20).optional(),
        description: note.nullish(),
        llms: z.array(ModelPattern).max(1_000).nullish(),
        /** The most that its projects and keys may call of MCP servers; `null` does not bound them. */
        mcp_configs: McpCeilings.nullish(),
        name: title.optional(),
        rate_limits: z.array(RateLimit).max(20).optional(),
      },
      isExtension: true,
    },
  ),
  customerCost: op("GET /ai/customer/{customer_id}/cost", "ai_customer_cost-get", "Read what a customer has cost", {
    in: { start: instant.optional(), end: instant.optional() },
    out: AiProjectCost,
    isExtension: true,
  }),
};

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
