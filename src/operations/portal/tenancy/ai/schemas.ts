import { Budget, ProviderConfig, RateLimit } from "../../../../engine/api/governance.ts";
import * as aiCache from "./cache.ts";
import * as aiInsights from "./insights.ts";
import * as aiPlayground from "./playground.ts";
import * as aiRequests from "./requests.ts";
import * as aiResources from "./resources.ts";

/** The resources of the AI area by name. */
export const aiSchemas: Readonly<Record<string, unknown>> = {
  Budget,
  ProviderConfig,
  RateLimit,
  AiCostRates: aiResources.PortalAiCostRates,
  AiCustomer: aiResources.AiCustomer,
  AiKey: aiResources.AiKey,
  AiKeyDetail: aiResources.AiKeyDetail,
  AiKeyBrief: aiResources.AiKeyBrief,
  AiKeyCost: aiResources.AiKeyCost,
  AiProjectCost: aiResources.AiProjectCost,
  AiProject: aiResources.AiProject,
  AiProjectCreated: aiResources.AiProjectCreated,
  AiProjectUser: aiResources.AiProjectUser,
  AiKeyCreated: aiResources.AiKeyCreated,
  AiRequest: aiRequests.AiRequest,
  AiRequestDetail: aiRequests.AiRequestDetail,
  AiSkippedTarget: aiRequests.AiSkippedTarget,
  AiRequestAttempt: aiRequests.AiRequestAttempt,
  AiUsageRow: aiInsights.AiUsageRow,
  AiTier: aiInsights.AiTier,
  AiLimit: aiInsights.AiLimit,
  AiPlan: aiInsights.AiPlan,
  AiTargetHealth: aiInsights.AiTargetHealth,
  AiPlaygroundEvent: aiPlayground.AiPlaygroundEvent,
  AiRequestEvent: aiRequests.AiRequestEvent,
  AiLineItem: aiRequests.AiLineItem,
  AiCache: aiCache.AiCache,
  AiCacheScope: aiCache.AiCacheScope,
  AiCachedAnswer: aiCache.AiCachedAnswer,
};
