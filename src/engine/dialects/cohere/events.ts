/** The events of a streamed answer. */
export type CohereEventName =
  | "message-start"
  | "content-start"
  | "content-delta"
  | "content-end"
  | "tool-plan-delta"
  | "tool-call-start"
  | "tool-call-delta"
  | "tool-call-end"
  | "citation-start"
  | "citation-end"
  | "message-end";
