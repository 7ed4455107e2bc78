import type { Clock } from "../../../src/engine/ports/clock.ts";
import type {
  ToolAnswer,
  ToolDescription,
  ToolRequest,
  ToolServer,
  ToolServerCall,
} from "../../../src/engine/ports/tools/tool-server.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { type McpConnection, type OpenClient, openConnection } from "./connection.ts";
import { readContents, readPrompt, readResource } from "./contents.ts";
import { toFault } from "./faults.ts";
import { type McpQuestion, readPages } from "./question.ts";
import type { CheckedToolServer } from "./settings.ts";
import { sentFor } from "./watched-fetch.ts";

/** Milliseconds for which a list of tools is used, where the server says nothing of changes. */
const listedForMs = 300_000;

/** Tools that are read of one server. */
const mostTools = 2_000;

/** What a server that is reached can do. */
export type ReachedServer = Required<
  Pick<ToolServer, "listTools" | "callTool" | "listContents" | "readResource" | "readPrompt" | "state" | "close">
>;

/** How a server is reached, and who is told that its tools changed. */
export interface ReachInput {
  readonly name: string;
  readonly settings: CheckedToolServer;
  readonly clock: Clock;
  readonly transport?: Transport | undefined;
  /** The token of the one caller that uses this connection. */
  readonly userToken?: string | undefined;
  readonly onToolsChanged: () => void;
}

/** The server behind a connection, which is made with the first question. */
export function reachServer(input: ReachInput): ReachedServer {
  const { name, settings, clock, onToolsChanged } = input;
  let listed: { readonly at: number; readonly tools: Promise<readonly ToolDescription[]> } | undefined;
  const forget = () => {
    listed = undefined;
    onToolsChanged();
  };
  const connection = openConnection({ ...input, onToolsChanged: forget });
  const ask = questionsTo({ name, connection, timeoutMs: settings.timeoutMs });
  return {
    listTools() {
      if (listed && clock.now() - listed.at < listedForMs) return listed.tools;
      const list = { at: clock.now(), tools: ask(readTools, undefined) };
      listed = list;
      list.tools.catch(() => {
        if (listed === list) listed = undefined;
      });
      return list.tools;
    },
    callTool: (request, call) => ask((asked) => sendCall(asked, request, call), call.signal),
    listContents: ({ signal }) => ask(readContents, signal),
    readResource: (uri, { signal }) => ask((asked) => readResource(asked, uri, signal), signal),
    readPrompt: (prompt, { signal }) => ask((asked) => readPrompt(asked, prompt, signal), signal),
    state: connection.state,
    close: connection.close,
  };
}

interface QuestionsInput {
  readonly name: string;
  readonly connection: McpConnection;
  readonly timeoutMs: number;
}

/**
 * Asks over the connection. A session that the server no longer knows (404) was not looked at: it is opened anew, and the question asked
 * again, once.
 */
function questionsTo({ name, connection, timeoutMs }: QuestionsInput) {
  const once = async <Answer>(
    question: (asked: McpQuestion) => Promise<Answer>,
    connected: OpenClient,
  ): Promise<Answer> => {
    const asked = { ...connected, timeout: timeoutMs };
    return new Promise<Answer>((resolve, reject) => {
      sentFor.run(reject, () => question(asked)).then(resolve, reject);
    });
  };
  return async <Answer>(
    question: (asked: McpQuestion) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    let connected = await connection.get();
    try {
      if (signal?.aborted) throw signal.reason;
      return await once(question, connected);
    } catch (thrown) {
      const { sdk } = connected;
      if (!(thrown instanceof sdk.StreamableHTTPError) || thrown.code !== 404) throw toFault(sdk, name, thrown);
      connection.drop(connected);
      connected = await connection.get();
    }
    return once(question, connected).catch((thrown) => {
      throw toFault(connected.sdk, name, thrown);
    });
  };
}

async function readTools({ sdk, client, timeout }: McpQuestion): Promise<readonly ToolDescription[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  return readPages(mostTools, async (params) => {
    const answer = await client.request({ method: "tools/list", params }, sdk.ListToolsResultSchema, { timeout });
    return { items: answer.tools as ToolDescription[], next: answer.nextCursor };
  });
}

async function sendCall(
  { sdk, client, timeout }: McpQuestion,
  { name, arguments: provided }: ToolRequest,
  { signal, onProgress }: ToolServerCall,
): Promise<ToolAnswer> {
  const params = { name, arguments: { ...provided } };
  const options = { signal, timeout, ...(onProgress ? { onprogress: onProgress } : {}) };
  const answer = await client.request({ method: "tools/call", params }, sdk.CallToolResultSchema, options);
  const { content, structuredContent, isError } = answer;
  return {
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
  };
}
