import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { GatewayError, toGatewayError } from "../../../src/engine/errors.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { ToolServerState } from "../../../src/engine/ports/tools/tool-server.ts";
import type { Transport as WireTransport } from "../../../src/engine/ports/transport.ts";
import { lost, toFault } from "./faults.ts";
import { loadClientSdk, type McpClientSdk } from "./sdk.ts";
import type { CheckedToolServer } from "./settings.ts";
import { fetchOver } from "./transport-fetch.ts";
import { watchedFetch } from "./watched-fetch.ts";

/** A connection that stands. */
export interface OpenClient {
  readonly sdk: McpClientSdk;
  readonly client: Client;
}

/** The one connection to a server, made when it is first asked and again after it was lost. */
export interface McpConnection {
  /** Throws `upstream_unreachable` while the server cannot be reached; between two attempts at once. */
  get(): Promise<OpenClient>;
  /** Forgets a connection that no longer works; the next call makes another. */
  drop(connected: OpenClient): void;
  state(): ToolServerState;
  close(): Promise<void>;
}

/** What the SDK takes: no field that is `undefined`. */
interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

/** Who is told of a client as soon as it is made, and of its end. */
interface ClientListeners {
  readonly onClient: (client: Client) => void;
  readonly onClose: () => void;
}

/** The server, and who listens to it. */
interface ConnectionInput {
  readonly name: string;
  readonly settings: CheckedToolServer;
  readonly clock: Clock;
  readonly onToolsChanged: () => void;
  /** How requests leave the machine; the runtime's `fetch` without one. */
  readonly transport?: WireTransport | undefined;
  /** The caller's own token, which every request of this connection has. */
  readonly userToken?: string | undefined;
}

const connectTimeoutMs = 15_000;

/** Milliseconds after the first failed attempt to connect in which there is no other; they double with each, up to the longest. */
const [shortestPauseMs, longestPauseMs] = [500, 30_000];

/** Opens the connection when it is first asked for. */
export function openConnection(input: ConnectionInput): McpConnection {
  const { name, clock } = input;
  const pause = createPause(clock);
  const promises = new WeakMap<OpenClient, Promise<OpenClient>>();
  let current: Promise<OpenClient> | undefined;
  let client: Client | undefined;
  let [isClosed, isConnected] = [false, false];
  const drop = (connected: OpenClient) => {
    if (current && promises.get(connected) === current) current = undefined;
    input.onToolsChanged();
  };
  const connect = async (): Promise<OpenClient> => {
    const made: { connected?: OpenClient } = {};
    isConnected = false;
    const onClient = (begun: Client) => {
      client = begun;
    };
    try {
      made.connected = await connectTo(input, { onClient, onClose: () => made.connected && drop(made.connected) });
      pause.end();
      isConnected = true;
      return made.connected;
    } catch (thrown) {
      current = undefined;
      pause.begin(thrown);
      throw thrown;
    }
  };
  return {
    async get() {
      if (isClosed) throw new GatewayError("shutting_down", "The gateway is shutting down.");
      if (!current) pause.check(name);
      current ??= connect();
      const promise = current;
      const connected = await promise;
      promises.set(connected, promise);
      return connected;
    },
    drop,
    state() {
      if (!current) return pause.state();
      return { state: isConnected ? "connected" : "connecting" };
    },
    async close() {
      isClosed = true;
      current?.catch(() => {}); // one that is being made ends with its client
      current = undefined;
      await client?.close();
    },
  };
}

/** The time after a failed attempt in which there is no other; it doubles with each. */
function createPause(clock: Clock) {
  let failures = 0;
  let until = -Infinity;
  let failure: unknown;
  return {
    begin(thrown: unknown) {
      failure = thrown;
      until = clock.now() + Math.min(longestPauseMs, shortestPauseMs * 2 ** failures++);
    },
    end() {
      failures = 0;
    },
    /** The state while there is no connection. */
    state(): ToolServerState {
      if (failures === 0) return { state: "idle" };
      return {
        state: "failing",
        message: toGatewayError(failure).message,
        retryAfterMs: Math.max(0, until - clock.now()),
      };
    },
    /** Throws the failure while the pause lasts. */
    check(name: string) {
      const retryAfterMs = until - clock.now();
      if (failures > 0 && retryAfterMs > 0) throw lost(name, failure, { retryAfterMs });
    },
  };
}

async function connectTo(input: ConnectionInput, { onClient, onClose }: ClientListeners): Promise<OpenClient> {
  const sdk = await loadClientSdk();
  const { name, onToolsChanged } = input;
  const transport = transportTo(sdk, input);
  const client = new sdk.Client({ name: "tollgate", version: "1.0.0" }, { capabilities: {} });
  client.onclose = onClose;
  onClient(client);
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, onToolsChanged);
  try {
    await client.connect(transport, { timeout: connectTimeoutMs });
    return { sdk, client };
  } catch (thrown) {
    await client.close().catch(() => {});
    throw toFault(sdk, name, thrown);
  }
}

// The casts: the SDK's own classes do not agree on optional fields.
function transportTo(sdk: McpClientSdk, { name, settings, transport, userToken }: ConnectionInput): Transport {
  const { url, headers = {}, oauth, command = "", args = [], env = {}, cwd, maxBytes, timeoutMs } = settings;
  if (url === undefined) {
    const program = { command, args: [...args], env: { ...env }, maxBufferSize: maxBytes };
    return new sdk.StdioClientTransport({ ...program, stderr: "ignore", ...(cwd === undefined ? {} : { cwd }) });
  }
  const { scope } = oauth ?? {};
  const authProvider =
    oauth &&
    new sdk.ClientCredentialsProvider({ ...oauth, ...(scope === undefined ? {} : { scope }) } as ClientCredentials);
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: userToken === undefined ? headers : { ...headers, authorization: `Bearer ${userToken}` } },
    fetch: watchedFetch({ name, maxBytes, send: transport && fetchOver(transport, { name, timeoutMs }) }),
    ...(authProvider ? { authProvider } : {}),
  }) as Transport;
}
