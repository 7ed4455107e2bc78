import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiRequestEvent } from "../../../operations/portal/tenancy/ai/requests.ts";

/** What a reader of the live log filters by. */
export type EventFilterInput = Pick<
  InputOf<Areas["ai"]["requestStream"]>,
  "type" | "key_id" | "model" | "provider" | "status"
>;

/** True where at least one filter is set. */
export function hasFilter({ type, key_id, model, provider, status }: EventFilterInput): boolean {
  return [type, key_id, model, provider, status].some((wanted) => wanted !== undefined && wanted.length > 0);
}

/** True for an event that passes all filters. An event without the filtered field does not pass. */
export function passesFilter(event: AiRequestEvent, filter: EventFilterInput): boolean {
  const { type, key_id, model, provider, status } = filter;
  const target = textOf(event.target) ?? textOf(event.to);
  return (
    isOneOf(type, event.type) &&
    isOneOf(key_id, event.key_id) &&
    isOneOf(provider, target?.split("/")[0]) &&
    isOneOf(status, event.status) &&
    (isOneOf(model, event.model_requested) || isOneOf(model, target))
  );
}

function isOneOf(wanted: readonly unknown[] | undefined, value: unknown): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.includes(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
