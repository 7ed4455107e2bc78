import type { ProviderCall } from "../../../src/engine/ports/provider.ts";

/** Who is sent to, and which of a caller's headers it is sent. */
export interface CallerHeaderRules {
  readonly provider: string;
  /** Names in lower case. */
  readonly callerHeaders?: readonly string[] | undefined;
  /** What every request has; a caller who asks for the same asks for nothing. */
  readonly headers: Readonly<Record<"post", Readonly<Record<string, string>>>>;
}

/** What of a call concerns the headers of its caller. */
export interface CallWithHeaders extends Pick<ProviderCall, "capabilities"> {
  warn?(warning: string): void;
}

/** Printable ASCII of a length that every vendor takes. */
const sendable = /^[\x20-\x7e]{1,256}$/;

/** The capability headers of a call that the vendor is sent; the others are named in warnings. */
export function callerHeadersOf(
  { provider, callerHeaders: allowed = [], headers }: CallerHeaderRules,
  call: CallWithHeaders,
): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.capabilities ?? {})) {
    if (headers.post[name] === value) continue;
    if (!allowed.includes(name)) call.warn?.(`\`${name}\` of the caller is not sent to ${provider}`);
    else if (!sendable.test(value)) call.warn?.(`\`${name}\` is not sent to ${provider}: its value is not plain text`);
    else passed[name] = value;
  }
  return passed;
}
