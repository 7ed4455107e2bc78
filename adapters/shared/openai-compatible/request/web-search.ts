import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { type RequestTarget, warnUnsupported } from "../compatibility-profile.ts";

/** `web_search_options` with the parts of the place directly in `user_location`, which has no time zone then. */
export function withFlatLocation(options: NonNullable<ChatRequest["web_search_options"]>, to: RequestTarget): unknown {
  const { user_location: location } = options;
  if (location?.approximate === undefined) return options;
  const { timezone, ...context } = location.approximate;
  if (timezone !== undefined) warnUnsupported(to, "web_search_options.user_location.approximate.timezone");
  const { type: _type, approximate: _approximate, ...rest } = location;
  return { ...options, user_location: { ...rest, ...context } };
}
