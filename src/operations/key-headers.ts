/** The headers of a virtual key, in the order of reading; the first hit wins (inference-resolved.md, section 2). */
export const virtualKeyHeaders = ["x-tg-key", "authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;
