import type { ChatResponse } from "../../../src/engine/api/chat.ts";
import { isUnderWay } from "../../../src/engine/dialects/openai/response-status.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type {
  BackgroundWork,
  ProviderCall,
  StoredResponseAction,
  StoredResponseRequest,
} from "../../../src/engine/ports/provider.ts";
import type { HttpClient } from "../http/client.ts";
import type { ResponseReading } from "./end.ts";
import { readResponseUsage } from "./usage.ts";
import { readResponse } from "./whole.ts";

/** What a vendor of the Responses API does with responses that it holds; `background` is true where it makes some in the background. */
export interface StoredResponseSupport {
  readonly actions: readonly StoredResponseAction[];
  readonly background: boolean;
}

/** OpenAI's own interface, and Azure's. */
export const storedByOpenai: StoredResponseSupport = {
  actions: ["retrieve", "delete", "cancel", "input_items"],
  background: true,
};

interface StoredVendor {
  readonly name: string;
  readonly http: HttpClient;
  readonly actions: readonly StoredResponseAction[];
}

/** Asks a vendor for a response that it holds. */
export async function askStored(
  { name, http, actions }: StoredVendor,
  { action, id, query }: StoredResponseRequest,
  call: ProviderCall,
): Promise<unknown> {
  if (!actions.includes(action)) {
    const message = `${name} does not offer \`${action}\` of a stored response.`;
    throw new GatewayError("unsupported_operation", message, { provider: name });
  }
  const path = `/responses/${encodeURIComponent(id)}`;
  const search = query === "" ? "" : `?${query}`;
  switch (action) {
    case "retrieve":
      return http.get(path + search, call);
    case "input_items":
      return http.get(`${path}/input_items${search}`, call);
    case "cancel":
      return http.post(`${path}/cancel`, undefined, call);
    case "delete":
      return http.delete(path, call);
  }
}

/** How often in a row the vendor may fail to say how far a response is. */
const mostFailures = 20;

/**
 * Reads the answer of `POST /responses`; one in the background is waited for. Throws `request_cancelled` for one that was cancelled or
 * removed meanwhile.
 */
export async function readWhenDone(raw: unknown, reading: ResponseReading): Promise<ChatResponse> {
  const { background } = reading.call;
  return readResponse(background ? await untilDone(raw, background, reading) : raw, reading);
}

/** Waits until a response in the background is done. A failure to look is no failure of the response: the next look may find it. */
async function untilDone(
  queued: unknown,
  background: BackgroundWork,
  { provider, http, call }: ResponseReading,
): Promise<unknown> {
  if (!isRecord(queued) || typeof queued.id !== "string") return queued;
  background.accepted(queued);
  const path = `/responses/${encodeURIComponent(queued.id)}`;
  let response: Readonly<Record<string, unknown>> = queued;
  for (let failures = 0; isUnderWay(response); ) {
    const seen = await background.next();
    try {
      const found = seen ?? (await http.get(path, call));
      if (isRecord(found)) response = found;
      failures = 0;
    } catch (thrown) {
      failures++;
      if (isGatewayError(thrown) && thrown.upstream?.status === 404) throw ended("was removed", provider);
      if (isFinal(thrown) || failures === mostFailures || call.signal.aborted) throw thrown;
    }
  }
  if (response.status !== "cancelled") return response;
  const usage = readResponseUsage(response);
  if (usage) call.used?.(usage);
  throw ended("was cancelled", provider);
}

/** The error of a response that its caller has ended: what it used until then is billed. */
function ended(what: string, provider: string): GatewayError {
  return new GatewayError("request_cancelled", `The response ${what} at ${provider}.`, { provider });
}

/** True where no later look will find the response: it was removed, or may not be seen. */
function isFinal(thrown: unknown): boolean {
  const status = isGatewayError(thrown) ? thrown.upstream?.status : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}
