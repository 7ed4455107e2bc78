import { type ErrorDetails, GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { McpClientSdk } from "./sdk.ts";

/** Codes of JSON-RPC that mean the request, not the server. */
const requestFaults: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602]);

/** Characters of a server's message that are passed on. */
const longestMessage = 2_000;

/** What a client of the protocol threw, as an error of the gateway. */
export function toFault(sdk: McpClientSdk, server: string, thrown: unknown): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  if (thrown instanceof sdk.McpError) return ofProtocol(sdk, server, thrown);
  if (thrown instanceof sdk.StreamableHTTPError) return ofHttp(server, thrown.code ?? 0, thrown);
  if (thrown instanceof sdk.UnauthorizedError) return ofHttp(server, 401, thrown);
  if (thrown instanceof SyntaxError || isSchemaError(thrown)) return unreadable(server, thrown);
  return lost(server, thrown);
}

/** The error of a server that cannot be reached, or whose connection ended. */
export function lost(server: string, cause: unknown, details: ErrorDetails = {}): GatewayError {
  return new GatewayError("upstream_unreachable", `The MCP server \`${server}\` cannot be reached.`, {
    ...details,
    cause,
  });
}

/** The error of a server whose message is longer than is read. */
export function tooLong(server: string, maxBytes: number): GatewayError {
  const message = `A message of the MCP server \`${server}\` is longer than ${maxBytes} bytes (\`maxBytes\`).`;
  return new GatewayError("upstream_invalid_response", message);
}

function unreadable(server: string, cause: unknown): GatewayError {
  const message = `The answer of the MCP server \`${server}\` cannot be read.`;
  return new GatewayError("upstream_invalid_response", message, { cause });
}

/** What the SDK's schemas reject with is no `Error`. */
function isSchemaError(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "issues" in thrown;
}

/** The code of an answer whose format the SDK does not know. */
const otherFormat = -1;

function ofProtocol(
  { ErrorCode }: McpClientSdk,
  server: string,
  error: { readonly code: number; readonly message: string },
): GatewayError {
  const { code } = error;
  if (code === ErrorCode.RequestTimeout)
    return new GatewayError("upstream_timeout", `The MCP server \`${server}\` did not answer in time.`, {
      cause: error,
    });
  if (code === ErrorCode.ConnectionClosed) return lost(server, error);
  const message = error.message.replace(/^MCP error -?\d+: /, "").slice(0, longestMessage);
  const upstream = { status: requestFaults.has(code) ? 400 : 500, code: String(code), message };
  return new GatewayError("upstream_error", `The MCP server \`${server}\` answered: ${message}`, { upstream });
}

/** The body of such an answer may be a page of a proxy; its status says enough. */
function ofHttp(server: string, status: number, cause: unknown): GatewayError {
  if (status === otherFormat) return unreadable(server, cause);
  if (status < 400) return lost(server, cause);
  const message = `The MCP server \`${server}\` answered with status ${status}.`;
  return new GatewayError("upstream_error", message, { upstream: { status, message }, cause });
}
