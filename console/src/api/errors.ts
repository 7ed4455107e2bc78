import type { ErrorBody } from "../../../src/engine/api/error.ts";

/** A failed call of the API, or a gateway that was not reached (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly eventId: string | undefined;

  constructor(status: number, body: Partial<ErrorBody["error"]>) {
    super(body.params?.detail?.toString() ?? body.message ?? "The gateway cannot be reached.");
    this.status = status;
    this.code = body.code ?? "unreachable";
    this.param = body.param ?? undefined;
    this.eventId = body.event_id;
  }
}

/** Returns the error of an answer, whatever stands in front of the gateway may have written. */
export async function readError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>; // what is missing has a fallback
  const fallback = { code: `http_${response.status}`, message: response.statusText || `HTTP ${response.status}` };
  return new ApiError(response.status, { ...fallback, ...body.error });
}

/** Returns anything that was thrown as an error that a screen can show. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError(0, thrown instanceof Error ? { message: thrown.message } : {});
}
