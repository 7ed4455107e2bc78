import type { ChatResponse } from "../../../api/chat.ts";
import type { SentChatRequest } from "../../../api/sent/requests.ts";
import type { CallOptions } from "../../call/options.ts";

/** How a value is asked for: by whole chats. */
export type WholeChat = (request: SentChatRequest, options: CallOptions) => Promise<ChatResponse>;

/** A schema of a library that follows Standard Schema, such as zod 4: what it checks has the type `Output`. */
export interface ObjectSchema<Output> {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** What a value is to look like: a schema of zod, or a JSON Schema. */
export type AnyObjectSchema<Output> = ObjectSchema<Output> | Readonly<Record<string, unknown>>;

/** A chat request for a value. Every other field of a chat request goes to the model. */
export interface ObjectRequest<Output> extends Omit<SentChatRequest, "response_format" | "stream"> {
  readonly schema: AnyObjectSchema<Output>;
  /** The name that the model reads of the value; `answer` by default. 1 to 64 letters, digits, `_` and `-`. */
  readonly name?: string | undefined;
  /** How often the model may repair a value that does not satisfy the schema: 0 to 5, once by default. */
  readonly repairs?: number | undefined;
}

/** A value that satisfies the schema, and how it came to be. */
export interface ObjectResult<Output> {
  readonly object: Output;
  /** The answer that holds it. */
  readonly answer: ChatResponse;
  /** How often the model repaired it. */
  readonly repairs: number;
  /** US dollars of all answers; what has no price counts nothing. */
  readonly cost: number;
}

/** Typed values. */
export interface Objects {
  /**
   * Asks a model for a value that satisfies a schema. An answer that does not goes back with what is wrong with it; each time is a call of
   * its own, with the key's limits and a row in the ledger. Rejects with `upstream_invalid_response` where repairs do not help, or where the
   * model refuses or is cut off, and with `invalid_request` for a schema that cannot be checked.
   */
  object<Output>(
    request: ObjectRequest<Output> & { readonly schema: ObjectSchema<Output> },
    options?: CallOptions,
  ): Promise<ObjectResult<Output>>;
  object(request: ObjectRequest<unknown>, options?: CallOptions): Promise<ObjectResult<unknown>>;
}
