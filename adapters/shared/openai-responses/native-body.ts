import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ProviderCall, ResponsesRequest } from "../../../src/engine/ports/provider.ts";

/** The question of a native body. */
interface NativeQuestion {
  readonly native: ResponsesRequest;
  readonly request: ChatRequest;
  readonly call: Pick<ProviderCall, "model" | "warn">;
}

/** The caller's own body, as it goes on: with the vendor's name of the model and the bound on output that the call was reserved for. */
export function nativeBody({ native, request, call }: NativeQuestion, isStream: boolean) {
  const { stream: _form, stream_options: options, ...rest } = native.body;
  const { max_completion_tokens: limit } = request;
  for (const warning of native.warnings) call.warn(warning);
  return {
    ...rest,
    model: call.model,
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...(isStream ? { stream: true, ...(options === undefined ? {} : { stream_options: options }) } : {}),
  };
}
