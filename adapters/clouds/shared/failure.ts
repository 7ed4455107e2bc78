import { type ErrorCode, GatewayError, isGatewayError } from "../../../src/engine/errors.ts";

/** What a failure between us and an upstream is called when the upstream is a back end of the portal (portal-resolved.md, section 2). */
const codes: Partial<Record<ErrorCode, ErrorCode>> = {
  upstream_unreachable: "backend_unreachable",
  upstream_timeout: "backend_timeout",
  upstream_stream_broken: "backend_unreachable",
  upstream_invalid_response: "backend_error",
  upstream_error: "backend_error",
};

/** A failure of the transport in the words of the portal; what is none of those is given back as it is. */
export function backendFailure(thrown: unknown, name: string): unknown {
  if (!isGatewayError(thrown)) return thrown;
  const code = codes[thrown.code];
  return code === undefined ? thrown : new GatewayError(code, `${name}: ${thrown.message}`, { cause: thrown });
}

/** The text with which a service refused. The log recognizes it by its name; callers get our own words. */
export class ReportedFault extends Error {
  override readonly name = "ReportedFault";
}
