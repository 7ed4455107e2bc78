export type { ChatChoice, ChatChunk, ChatRequest as ReceivedChatRequest, ChatResponse } from "./engine/api/chat.ts";
export type { CacheDebug, RequestType } from "./engine/api/common.ts";
export type { DecisionRequest as ReceivedDecisionRequest, DecisionResponse } from "./engine/api/decisions.ts";
export type { EmbeddingRequest as ReceivedEmbeddingRequest, EmbeddingResponse } from "./engine/api/embeddings.ts";
export type { ErrorBody } from "./engine/api/error.ts";
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
} from "./engine/api/governance.ts";
export type { McpCeiling, McpConfig } from "./engine/api/mcp/access.ts";
export type { ToolCallRequest, ToolCallResponse } from "./engine/api/mcp/call.ts";
export type {
  AnsweredMessage,
  ContentPart,
  CustomToolCall,
  FunctionToolCall,
  ReasoningDetail,
  ToolCall,
} from "./engine/api/message.ts";
export type { Model, ModelListRequest, ModelListResponse } from "./engine/api/models.ts";
export type {
  RerankDocument,
  RerankRequest as ReceivedRerankRequest,
  RerankResponse,
  RerankResult,
} from "./engine/api/rerank.ts";
export type { ChatModel, EmbeddingModel, RerankModel } from "./engine/api/sent/known-models.ts";
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
} from "./engine/api/sent/requests.ts";
export { textOf } from "./engine/api/sent/text-of.ts";
export type { ToolChoice } from "./engine/api/tools.ts";
export type { Usage } from "./engine/api/usage.ts";
export type { CacheScope, Sharing } from "./engine/caching/scope.ts";
export type { CacheMode, CachePreference } from "./engine/caching/settings.ts";
export type {
  CallOptions,
  CloseOptions,
  CoreEngine,
  EngineOptions,
  PlanOptions,
  PlanRequest,
} from "./engine/engine.ts";
export {
  type AttemptReport,
  type BlockedContent,
  type ErrorCode,
  errorTable,
  GatewayError,
  isGatewayError,
} from "./engine/errors.ts";
export type { EventMap } from "./engine/events.ts";
export type { UsageReportEntry, UsageReportPage, UsageReportRow } from "./engine/metering/usage/report.ts";
export type { CacheOptions } from "./engine/options/cache.ts";
export type { KeyWords } from "./engine/pipeline/admin/words/key-words.ts";
export type { AnswerCacheAdmin } from "./engine/pipeline/cache/open.ts";
export type { ApprovedTool, ToolApprovalRequest } from "./engine/pipeline/tools/approvals/approve.ts";
export type { HeldReason } from "./engine/pipeline/tools/approvals/held-reason.ts";
export type { ToolCallOptions } from "./engine/pipeline/tools/call-options.ts";
export type { ContentListing, PromptQuestion } from "./engine/pipeline/tools/contents.ts";
export type { CallableTool } from "./engine/pipeline/tools/described-tools.ts";
export type { HeldTool, ToolListing, ToolListOptions } from "./engine/pipeline/tools/list-tools.ts";
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
} from "./engine/pipeline/tools/run/tool-run.ts";
export type { ToolRuns } from "./engine/pipeline/tools/run/tool-runs.ts";
export type { ToolQuery } from "./engine/pipeline/tools/search-tools.ts";
export type { ToolRequests } from "./engine/pipeline/tools/tool-requests.ts";
export type { TokenCount } from "./engine/pipeline/verbs/count-tokens.ts";
export type {
  AnyObjectSchema,
  ObjectRequest,
  ObjectResult,
  ObjectSchema,
  Objects,
} from "./engine/pipeline/verbs/object/object-request.ts";
export type { AnswerCache, CachedAnswer } from "./engine/ports/answers.ts";
export type { Clock, Entropy, Ids, Random } from "./engine/ports/clock.ts";
export type { Counters } from "./engine/ports/counters.ts";
export type {
  EntriesPage,
  EntriesQuestion,
  Ledger,
  LedgerEntry,
  UsageQuestion,
  UsageRow,
} from "./engine/ports/ledger.ts";
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
} from "./engine/ports/middleware/middleware.ts";
export type { ModelFacts, Prices } from "./engine/ports/prices.ts";
export type {
  AnsweredPart,
  CredentialSettings,
  Provider,
  ProviderCall,
  ProviderVerb,
  StoredResponseAction,
  Timeouts,
} from "./engine/ports/provider.ts";
export { defineProvider } from "./engine/ports/provider.ts";
export type { RecordKind, Records, Where } from "./engine/ports/records.ts";
export type { SlotLease, SlotLimit, Slots } from "./engine/ports/slots.ts";
export type { Store } from "./engine/ports/store.ts";
export type { Tokens } from "./engine/ports/tokens.ts";
export type { StoredToolApprovals, ToolApprovalMode } from "./engine/ports/tools/approvals.ts";
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
} from "./engine/ports/tools/tool-server.ts";
export type { ToolServerOauth, ToolServerSettings, ToolServerWorld } from "./engine/ports/tools/tool-settings.ts";
export type { NamedVector, Neighbour, VectorIndex, VectorQuestion } from "./engine/ports/vectors.ts";
export type { Identify, ModelIdentity } from "./engine/routing/model-identity.ts";
export type { Plan, Skipped, Target } from "./engine/routing/plan.ts";
export type { RouteRule } from "./engine/routing/rules.ts";
export type { Abortable } from "./engine/runtime/abortable.ts";
export type { Duration, WithDurations } from "./engine/runtime/duration.ts";
export { createEngine, createListener, type Engine, type ListenerOptions, systemClock } from "./http/create-engine.ts";
export type { BodyBounds } from "./http/request/bounds.ts";
export { createFetch, type FetchOptions, type GatewayFetch } from "./http/server/fetch.ts";
export type { Listener } from "./http/server/node.ts";
export type { ServiceOptions } from "./operations/service-credential.ts";
export type { GatewayConfig } from "./server/config/shape.ts";
