import type { Duration } from "../../runtime/duration.ts";
import type { Clock } from "../clock.ts";
import type { Transport } from "../transport.ts";
import type { ToolApprovalMode } from "./approvals.ts";
import type { ToolServer } from "./tool-server.ts";

/** Client credentials of OAuth 2.1, for a server that asks for tokens. */
export interface ToolServerOauth {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
}

/** Callers bring a token of their own, which is sent as the bearer token of their requests; no other caller's requests carry it. */
export interface ToolServerUserToken {
  /** The header of a caller's request that has the token: `x-github-token`. Not one that has the gateway's own keys. */
  readonly header: string;
}

/** How a tool server is reached: `url` for streamable HTTP, or `command` for a process of this machine. */
export interface ToolServerSettings {
  /** The address of its endpoint: `https://host/mcp`. */
  readonly url?: string | undefined;
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly oauth?: ToolServerOauth | undefined;
  /** Each caller acts with a token of its own; in place of `oauth` and of an `authorization` header. */
  readonly userToken?: ToolServerUserToken | undefined;
  /** A program that speaks the protocol over its standard input and output. */
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** Its environment, beside the few variables every program needs; nothing else of the gateway's environment reaches it. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** How long one call may take, in milliseconds or as text such as `"30s"`; a minute by default. Progress that the server reports does not extend it. */
  readonly timeoutMs?: Duration | undefined;
  /** Bytes of one message of the server; 8 MiB by default. */
  readonly maxBytes?: number | undefined;
  /** Whether descriptions are approved: `first_use`, when a tool is first listed, or `pinned`, by hand only. Needs a store; off by default. */
  readonly approval?: ToolApprovalMode | undefined;
  /** US dollars of one call: of every tool, or by the tool's own name with `*` for the rest. */
  readonly price?: number | Readonly<Record<string, number>> | undefined;
}

/** What a tool server is reached with. */
export interface ToolServerWorld {
  readonly clock: Clock;
  /** How requests over HTTP leave the machine; the runtime's own `fetch` without one. */
  readonly transport?: Transport | undefined;
}

/** Makes the server of these settings, without connecting to it; throws `invalid_configuration` with the field in `param`. */
export type OpenToolServer = (name: string, settings: ToolServerSettings, world: ToolServerWorld) => ToolServer;

/** A server, or how one is reached. */
export type ConfiguredToolServer = ToolServer | ToolServerSettings;
