export type { ChatChoice, ChatChunk, ChatRequest as ReceivedChatRequest, ChatResponse } from "./api/chat.ts";
export type { CacheDebug, RequestType } from "./api/common.ts";
export type { DecisionRequest as ReceivedDecisionRequest, DecisionResponse } from "./api/decisions.ts";
export type { EmbeddingRequest as ReceivedEmbeddingRequest, EmbeddingResponse } from "./api/embeddings.ts";
export type { ErrorBody } from "./api/error.ts";
export type {
  Customer,
  CustomerDraft,
  CustomerPatch,
  Project,
  ProjectDraft,
  ProjectPatch,
  ResetDuration,
  VirtualKey,
  VirtualKeyDraft,
  VirtualKeyPatch,
} from "./api/governance.ts";
export type { McpCeiling, McpConfig } from "./api/mcp/access.ts";
export type { ToolCallRequest, ToolCallResponse } from "./api/mcp/call.ts";
export type {
  AnsweredMessage,
  ContentPart,
  CustomToolCall,
  FunctionToolCall,
  ReasoningDetail,
  ToolCall,
} from "./api/message.ts";
export type { Model, ModelListRequest, ModelListResponse } from "./api/models.ts";
export type {
  RerankDocument,
  RerankRequest as ReceivedRerankRequest,
  RerankResponse,
  RerankResult,
} from "./api/rerank.ts";
export type { ChatModel, EmbeddingModel, RerankModel } from "./api/sent/known-models.ts";
export type {
  ClosedRerankRequest as RerankRequest,
  ResponseFormat,
  SentChatRequest as ChatRequest,
  SentDecisionRequest as DecisionRequest,
  SentEmbeddingRequest as EmbeddingRequest,
  SentFunction,
  SentMessage as ChatMessage,
  SentTool as Tool,
  SentToolCall,
} from "./api/sent/requests.ts";
export { textOf } from "./api/sent/text-of.ts";
export type { ToolChoice } from "./api/tools.ts";
export type { Usage } from "./api/usage.ts";
export type { CacheScope, Sharing } from "./caching/scope.ts";
export type { CacheMode, CachePreference } from "./caching/settings.ts";
export type { GatewayConfig } from "./config/shape.ts";
export { createEngine, createListener, type Engine, type ListenerOptions, systemClock } from "./create-engine.ts";
export type { CallOptions, CloseOptions, CoreEngine, EngineOptions, PlanOptions, PlanRequest } from "./engine.ts";
export {
  type AttemptReport,
  type BlockedContent,
  type ErrorCode,
  errorTable,
  GatewayError,
  isGatewayError,
} from "./errors.ts";
export type { EventMap } from "./events.ts";
export type { BodyBounds } from "./http/request/bounds.ts";
export { createFetch, type FetchOptions, type GatewayFetch } from "./http/server/fetch.ts";
export type { Listener } from "./http/server/node.ts";
export type { UsageReportEntry, UsageReportPage, UsageReportRow } from "./metering/usage/report.ts";
export type { ServiceOptions } from "./operations/service-credential.ts";
export type { CacheOptions } from "./options/cache.ts";
export type { KeyWords } from "./pipeline/admin/words/key-words.ts";
export type { AnswerCacheAdmin } from "./pipeline/cache/open.ts";
export type { ApprovedTool, ToolApprovalRequest } from "./pipeline/tools/approvals/approve.ts";
export type { HeldReason } from "./pipeline/tools/approvals/held-reason.ts";
export type { ToolCallOptions } from "./pipeline/tools/call-options.ts";
export type { ContentListing, PromptQuestion } from "./pipeline/tools/contents.ts";
export type { CallableTool } from "./pipeline/tools/described-tools.ts";
export type { HeldTool, ToolListing, ToolListOptions } from "./pipeline/tools/list-tools.ts";
export type {
  Approval,
  AskedToolCall,
  LocalTool,
  LocalToolCall,
  ServerTools,
  ToolRunCall,
  ToolRunEnding,
  ToolRunEvent,
  ToolRunOptions,
  ToolRunRequest,
  ToolRunResult,
  ToolRunSummary,
  ToolRunTurn,
} from "./pipeline/tools/run/tool-run.ts";
export type { ToolRuns } from "./pipeline/tools/run/tool-runs.ts";
export type { ToolQuery } from "./pipeline/tools/search-tools.ts";
export type { ToolRequests } from "./pipeline/tools/tool-requests.ts";
export type { TokenCount } from "./pipeline/verbs/count-tokens.ts";
export type {
  AnyObjectSchema,
  ObjectRequest,
  ObjectResult,
  ObjectSchema,
  Objects,
} from "./pipeline/verbs/object/object-request.ts";
export type { AnswerCache, CachedAnswer } from "./ports/answers.ts";
export type { Clock, Entropy, Ids, Random } from "./ports/clock.ts";
export type { Counters } from "./ports/counters.ts";
export type { EntriesPage, EntriesQuestion, Ledger, LedgerEntry, UsageQuestion, UsageRow } from "./ports/ledger.ts";
export {
  defineMiddleware,
  type Middleware,
  type MiddlewareAnswer,
  type MiddlewareContext,
  type MiddlewareRequest,
  type MiddlewareVerb,
  type TextGuard,
  type TextKind,
  type TextPlace,
} from "./ports/middleware/middleware.ts";
export type { ModelFacts, Prices } from "./ports/prices.ts";
export type {
  AnsweredPart,
  CredentialSettings,
  Provider,
  ProviderCall,
  ProviderVerb,
  StoredResponseAction,
  Timeouts,
} from "./ports/provider.ts";
export { defineProvider } from "./ports/provider.ts";
export type { RecordKind, Records, Where } from "./ports/records.ts";
export type { SlotLease, SlotLimit, Slots } from "./ports/slots.ts";
export type { Store } from "./ports/store.ts";
export type { Tokens } from "./ports/tokens.ts";
export type { StoredToolApprovals, ToolApprovalMode } from "./ports/tools/approvals.ts";
export type {
  ContentDescription,
  PromptRequest,
  ServerContents,
  ToolAnswer,
  ToolDescription,
  ToolProgress,
  ToolRequest,
  ToolServer,
  ToolServerCall,
} from "./ports/tools/tool-server.ts";
export type { ToolServerOauth, ToolServerSettings, ToolServerWorld } from "./ports/tools/tool-settings.ts";
export type { NamedVector, Neighbour, VectorIndex, VectorQuestion } from "./ports/vectors.ts";
export type { Identify, ModelIdentity } from "./routing/model-identity.ts";
export type { Plan, Skipped, Target } from "./routing/plan.ts";
export type { RouteRule } from "./routing/rules.ts";
export type { Abortable } from "./runtime/abortable.ts";
export type { Duration, WithDurations } from "./runtime/duration.ts";
