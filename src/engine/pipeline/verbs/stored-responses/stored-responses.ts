import type { StoredResponseAction } from "../../../ports/provider.ts";
import type { CallOptions } from "../../call/options.ts";

/** A body of the vendor's. */
export type StoredAnswer = Readonly<Record<string, unknown>>;

/** Fields of the vendor's own query, as in OpenAI's API. */
export interface StoredResponseQuery {
  readonly include?: readonly string[] | undefined;
}

/** Which of a response's input items, as in OpenAI's API. */
export interface InputItemQuery extends StoredResponseQuery {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly order?: "asc" | "desc" | undefined;
}

/**
 * The responses that vendors of OpenAI's Responses API hold, for those who made them. A key reaches what calls of the same key made, also
 * after its value has changed; everything else is `not_found`, whether it exists or not. The trusted caller names responses by the vendors'
 * own ids; they are looked for at each vendor and credential in turn. The bodies are the vendor's. Nothing of this is billed.
 */
export interface StoredResponses {
  /** The response as it is now; `status` is `queued` or `in_progress` while the vendor works on it in the background. */
  retrieve(id: string, query?: StoredResponseQuery, options?: CallOptions): Promise<StoredAnswer>;
  /** Removes the response at its vendor. */
  delete(id: string, options?: CallOptions): Promise<StoredAnswer>;
  /** Ends a response in the background, and what was reserved for it. */
  cancel(id: string, options?: CallOptions): Promise<StoredAnswer>;
  /** One page of the items that the response was made from. */
  inputItems(id: string, query?: InputItemQuery, options?: CallOptions): Promise<StoredAnswer>;
}

/** What is asked of a response by the id that the caller has. */
export interface StoredQuestion {
  readonly action: StoredResponseAction;
  readonly id: string;
  readonly query?: InputItemQuery | undefined;
  readonly options: CallOptions | undefined;
}
