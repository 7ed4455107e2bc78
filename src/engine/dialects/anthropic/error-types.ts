/** The status of each error type where the vendor answers with it; an `error` event of a stream has the type alone. */
const statuses: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["conflict_error", 409],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** The error type of each status, with those that the vendor does not answer with but a gateway does. */
const types: ReadonlyMap<number, string> = new Map([
  ...[...statuses].map(([type, status]): [number, string] => [status, type]),
  [408, "timeout_error"],
  [503, "overloaded_error"],
]);

/** Every error type that is known here. */
export const anthropicErrorTypes: readonly string[] = [...statuses.keys()];

/** The HTTP status of an error type; 500 for one that is unknown. */
export function statusOfErrorType(type: string | undefined): number {
  return statuses.get(type ?? "") ?? 500;
}

/** The error type of an HTTP status; `invalid_request_error` or `api_error` by its class where the vendor has none of its own. */
export function errorTypeOfStatus(status: number): string {
  return types.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/** True for an error type of the vendor. */
export function isAnthropicErrorType(type: string): boolean {
  return statuses.has(type);
}
