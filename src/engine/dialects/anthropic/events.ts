/** The events of a streamed message that carry content; the vendor also sends `ping`. */
export type AnthropicEventName =
  | "message_start"
  | "content_block_start"
  | "content_block_delta"
  | "content_block_stop"
  | "message_delta"
  | "message_stop"
  | "error";

/** The deltas of a content block. */
export type AnthropicDeltaName =
  | "text_delta"
  | "thinking_delta"
  | "signature_delta"
  | "input_json_delta"
  | "citations_delta";
