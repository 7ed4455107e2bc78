import { GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { ToolServerCall, ToolServerState } from "../../../src/engine/ports/tools/tool-server.ts";
import { type ReachedServer, type ReachInput, reachServer } from "./server.ts";

/** Sessions with one server at a time, one for each token. */
const mostSessions = 64;

/** Milliseconds after its last use in which a session stays open. */
const idleMs = 600_000;

/** What a bearer token may consist of (RFC 6750, 2.1), and how long it may be. */
const tokenForm = /^[A-Za-z0-9\-._~+/]{1,8192}=*$/;

/** The session of one token. */
interface UserSession {
  readonly server: ReachedServer;
  usedAt: number;
  /** Questions under way. */
  busy: number;
}

/**
 * A server that each caller asks with a token of its own: a connection for each token, which no other token's questions go over. Of
 * {@link mostSessions} the one that was idle longest gives way to a new one; where all are busy, a new one is refused with
 * `concurrency_limited`. A call without a token, or with one that is none, is refused with `invalid_request`.
 */
export function openUserSessions(input: ReachInput): ReachedServer {
  const { name, settings, clock } = input;
  const header = settings.userToken?.header ?? "";
  const { sessions, take, stop } = openSessions(input);
  const ask = async <Answer>(call: ToolServerCall, question: (server: ReachedServer) => Promise<Answer>) => {
    const token = readToken(name, header, call.userToken);
    const session = take(token);
    session.busy++;
    try {
      return await question(session.server);
    } catch (thrown) {
      throw withoutToken(thrown, token);
    } finally {
      session.busy--;
      session.usedAt = clock.now();
    }
  };
  return {
    listTools: (call) => ask(call, (server) => server.listTools(call)),
    callTool: (request, call) => ask(call, (server) => server.callTool(request, call)),
    listContents: (call) => ask(call, (server) => server.listContents(call)),
    readResource: (uri, call) => ask(call, (server) => server.readResource(uri, call)),
    readPrompt: (prompt, call) => ask(call, (server) => server.readPrompt(prompt, call)),
    state: () => stateOf([...sessions.values()]),
    async close() {
      stop();
      const all = [...sessions.values()];
      sessions.clear();
      await Promise.all(all.map(({ server }) => server.close()));
    },
  };
}

/** The sessions by token; those that are idle for long are closed. */
function openSessions(input: ReachInput) {
  const { name, clock } = input;
  const sessions = new Map<string, UserSession>();
  let stopTimer: (() => void) | undefined;
  const end = (token: string, session: UserSession) => {
    sessions.delete(token);
    session.server.close().catch(() => {}); // it is gone either way
  };
  const watch = () => {
    if (sessions.size > 0) stopTimer ??= clock.after(idleMs, sweep);
  };
  const sweep = () => {
    stopTimer = undefined;
    const now = clock.now();
    for (const [token, session] of sessions)
      if (session.busy === 0 && now - session.usedAt >= idleMs) end(token, session);
    watch();
  };
  const take = (token: string): UserSession => {
    const known = sessions.get(token);
    if (known) return known;
    if (sessions.size >= mostSessions) end(...longestIdle(name, sessions));
    const session = { server: reachServer({ ...input, userToken: token }), usedAt: clock.now(), busy: 0 };
    sessions.set(token, session);
    watch();
    return session;
  };
  return { sessions, take, stop: () => stopTimer?.() };
}

function readToken(name: string, header: string, token: string | undefined): string {
  const own = `The MCP server \`${name}\` is asked with the caller's own token`;
  if (!token)
    throw new GatewayError("invalid_request", `${own}: send it in the header \`${header}\`.`, { param: header });
  if (tokenForm.test(token)) return token;
  throw new GatewayError("invalid_request", `${own}, and what is in \`${header}\` is no bearer token.`, {
    param: header,
  });
}

/** The session that was idle longest, with its token. Throws `concurrency_limited` where none is idle. */
function longestIdle(name: string, sessions: ReadonlyMap<string, UserSession>): [string, UserSession] {
  let found: [string, UserSession] | undefined;
  for (const entry of sessions) if (entry[1].busy === 0 && (!found || entry[1].usedAt < found[1].usedAt)) found = entry;
  if (found) return found;
  const message = `The MCP server \`${name}\` is being asked by ${mostSessions} callers, each with a token of its own.`;
  throw new GatewayError("concurrency_limited", message);
}

/** The same error, in whose words the token is not: a server may repeat it. Its cause stays here. */
function withoutToken(thrown: unknown, token: string): unknown {
  if (!isGatewayError(thrown)) return thrown;
  const hide = (text: string) => text.replaceAll(token, "[token]");
  const { code, message, param, upstream, retryAfterMs } = thrown;
  return new GatewayError(code, hide(message), {
    ...{ param, retryAfterMs },
    ...(upstream ? { upstream: { ...upstream, message: hide(upstream.message) } } : {}),
  });
}

/** The best of all sessions: one that is connected says that the server can be reached. */
function stateOf(sessions: readonly UserSession[]): ToolServerState {
  const states = sessions.map(({ server }) => server.state());
  const first = (state: ToolServerState["state"]) => states.find((each) => each.state === state);
  return first("connected") ?? first("connecting") ?? first("failing") ?? { state: "idle" };
}
