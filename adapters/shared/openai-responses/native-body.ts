import type { ChatRequest } from "../../../src/api/chat.ts";
import { isPacked, unpackDetail } from "../../../src/dialects/openai/packed-detail.ts";
import { reasoningFormat } from "../../../src/dialects/openai/responses-format.ts";
import { isRecord } from "../../../src/dialects/wire-values.ts";
import type { ProviderCall, ResponsesRequest } from "../../../src/ports/provider.ts";
import type { Warned } from "../openai-compatible/compatibility-profile.ts";

/** The question of a native body. */
interface NativeQuestion {
  readonly native: ResponsesRequest;
  readonly request: ChatRequest;
  readonly call: Pick<ProviderCall, "model">;
}

/**
 * The caller's own body, as it goes on: with the vendor's name of the model, the bound on output that the call was reserved for, and
 * without what no vendor of this interface knows: fallbacks, and thoughts of other vendors in the history.
 */
export function nativeBody({ native, request, call }: NativeQuestion, to: Warned & { isStream: boolean }) {
  const { fallbacks: _ours, stream: _form, stream_options: options, input, ...rest } = native.body;
  const { max_completion_tokens: limit } = request;
  return {
    ...rest,
    model: call.model,
    input: Array.isArray(input) ? input.flatMap((item) => ownItem(item, to)) : input,
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(to.isStream ? { stream: true, ...(options === undefined ? {} : { stream_options: options }) } : {}),
  };
}

/** Ids that this gateway gave to items of an answer of another vendor: the vendor would look for them among its own. */
const ownId = /^(?:rs|msg|fc|ctc)_.*_\d+$/;

function ownItem(item: unknown, to: Warned): unknown[] {
  if (!isRecord(item)) return [item];
  const { id, ...rest } = item;
  const isOurs = typeof id === "string" && ownId.test(id);
  if (item.type !== "reasoning") return [isOurs ? rest : item];
  const sealed = item.encrypted_content;
  if (typeof sealed === "string" && isPacked(sealed)) return restored(rest, sealed, to);
  if (!isOurs) return [item];
  return left(to);
}

/** A thought that came through this gateway: its vendor's own seal, where that vendor is this one. */
function restored({ content: _content, ...rest }: Record<string, unknown>, sealed: string, to: Warned): unknown[] {
  const detail = unpackDetail(sealed, "");
  if (detail?.format !== reasoningFormat || !detail.data) return left(to);
  const { id, data } = detail;
  return [{ ...rest, ...(id ? { id } : {}), summary: rest.summary ?? [], encrypted_content: data }];
}

function left(to: Warned): [] {
  to.warn(`reasoning of another vendor in \`input\` is not sent to ${to.provider}`);
  return [];
}
