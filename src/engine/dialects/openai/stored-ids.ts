import { isRecord } from "../wire-values.ts";
import type { VendorEvent } from "./native-response.ts";

type WireFields = Readonly<Record<string, unknown>>;

/** How the ids of an answer are replaced. */
export interface AnswerIds {
  readonly replace: (id: string) => string;
  /** The vendor holds the response: its id and those of its items lead to it. Ids of containers lead to these in any case. */
  readonly isStored: boolean;
}

/** A response of the Responses API with its ids replaced: its own, those of its items, of the earlier response and of containers. */
export function withAnswerIds(response: WireFields, ids: AnswerIds): Record<string, unknown> {
  const { output, tools } = response;
  return {
    ...response,
    ...replaced(response, ids.isStored ? ["id", "previous_response_id"] : ["previous_response_id"], ids),
    ...(Array.isArray(output) ? { output: output.map((item) => withItemIds(item, ids)) } : {}),
    ...(Array.isArray(tools) ? { tools: tools.map((tool) => withContainer(tool, ids)) } : {}),
  };
}

/** An event of a streamed response with its ids replaced. */
export function withEventIds(event: VendorEvent, ids: AnswerIds): VendorEvent {
  const { response, item, part, annotation } = event;
  return {
    ...event,
    ...(ids.isStored ? replaced(event, ["item_id"], ids) : {}),
    ...(isRecord(response) ? { response: withAnswerIds(response, ids) } : {}),
    ...(isRecord(item) ? { item: withItemIds(item, ids) } : {}),
    ...(isRecord(part) ? { part: withAnnotations(part, ids) } : {}),
    ...(isRecord(annotation) ? { annotation: withContainer(annotation, ids) } : {}),
  };
}

/** An item of an answer, or of a list of items, with its ids replaced. */
export function withItemIds(item: unknown, ids: AnswerIds): unknown {
  if (!isRecord(item)) return item;
  const { content } = item;
  return {
    ...ownContainer(item, ids),
    ...(ids.isStored ? replaced(item, ["id", "approval_request_id"], ids) : {}),
    ...(Array.isArray(content) ? { content: content.map((part) => withAnnotations(part, ids)) } : {}),
  };
}

function withAnnotations(part: unknown, ids: AnswerIds): unknown {
  if (!isRecord(part) || !Array.isArray(part.annotations)) return part;
  return { ...part, annotations: part.annotations.map((annotation) => withContainer(annotation, ids)) };
}

function withContainer(value: unknown, ids: AnswerIds): unknown {
  return isRecord(value) ? ownContainer(value, ids) : value;
}

function ownContainer(value: WireFields, ids: AnswerIds): Record<string, unknown> {
  const { environment } = value;
  return {
    ...value,
    ...replaced(value, ["container_id", "container"], ids),
    ...(isRecord(environment) ? { environment: withContainer(environment, ids) } : {}),
  };
}

function replaced(value: WireFields, fields: readonly string[], { replace }: AnswerIds): Record<string, unknown> {
  const own = fields.filter((field) => typeof value[field] === "string");
  return Object.fromEntries(own.map((field) => [field, replace(`${value[field]}`)]));
}

/** Something of a request that the vendor looks up by its id. */
export interface StoredReference {
  readonly id: string;
  /** What it is, as the vendor's error says: `Previous response`, `Item`, … */
  readonly what: string;
  /** The field that names it, e.g. `previous_response_id`. */
  readonly param: string;
}

/** How the ids of a request are replaced. */
export interface RequestIds {
  /** The vendor's id of what the request refers to; throws for what the caller does not own. */
  readonly refer: (reference: StoredReference) => string;
  /** The vendor's id of an item that the request holds itself; the same id where it is none of ours. */
  readonly replace: (id: string) => string;
}

/** The body of a Responses request with its ids replaced: whatever the vendor would look up, and the ids of the items in `input`. */
export function withRequestIds(body: WireFields, ids: RequestIds): Record<string, unknown> {
  const { previous_response_id: previous, conversation, tools, input } = body;
  return {
    ...body,
    ...(typeof previous === "string"
      ? {
          previous_response_id: ids.refer({
            id: previous,
            what: "Previous response",
            param: "previous_response_id",
          }),
        }
      : {}),
    ...(conversation === undefined || conversation === null ? {} : { conversation: conversationOf(conversation, ids) }),
    ...(Array.isArray(tools) ? { tools: tools.map((tool, at) => withToolContainer(tool, `tools.${at}`, ids)) } : {}),
    ...(Array.isArray(input) ? { input: withInputIds(input, ids) } : {}),
  };
}

function conversationOf(conversation: unknown, ids: RequestIds): unknown {
  const refer = (id: string) => ids.refer({ id, what: "Conversation", param: "conversation" });
  if (typeof conversation === "string") return refer(conversation);
  if (!isRecord(conversation) || typeof conversation.id !== "string") return conversation;
  return { ...conversation, id: refer(conversation.id) };
}

function withToolContainer(tool: unknown, path: string, ids: RequestIds): unknown {
  if (!isRecord(tool)) return tool;
  const { environment } = tool;
  const referred = ["container", "container_id"].flatMap((field) => {
    const id = tool[field];
    return typeof id === "string" ? [[field, ids.refer({ id, what: "Container", param: `${path}.${field}` })]] : [];
  });
  return {
    ...tool,
    ...Object.fromEntries(referred),
    ...(isRecord(environment) ? { environment: withToolContainer(environment, `${path}.environment`, ids) } : {}),
  };
}

function withInputIds(input: readonly unknown[], ids: RequestIds): unknown[] {
  const requests = new Set(input.filter(isRecord).flatMap(({ type, id }) => (isApproval(type) ? [id] : [])));
  return input.map((item, at) => {
    if (!isRecord(item)) return item;
    const own = ids.replace;
    const refer = (id: string) => ids.refer({ id, what: "Item", param: `input.${at}` });
    const { id, container_id: container, approval_request_id: approval } = item;
    return {
      ...item,
      ...(typeof id === "string" ? { id: isReference(item) ? refer(id) : own(id) } : {}),
      ...(typeof container === "string" ? { container_id: own(container) } : {}),
      ...(typeof approval === "string"
        ? { approval_request_id: requests.has(approval) ? own(approval) : refer(approval) }
        : {}),
    };
  });
}

function isApproval(type: unknown): boolean {
  return type === "mcp_approval_request";
}

/** WireFields that hold nothing of what an item says. */
const bareWireFields: ReadonlySet<string> = new Set(["id", "type", "status", "role"]);

/** True for an item without a content of its own: the vendor looks for that by the id. */
function isReference(item: WireFields): boolean {
  const { type, encrypted_content: sealed, result } = item;
  if (type === "item_reference") return true;
  if (type === "reasoning") return typeof sealed !== "string";
  if (type === "image_generation_call") return typeof result !== "string";
  return Object.entries(item).every(([field, value]) => bareWireFields.has(field) || (value ?? null) === null);
}
