import { GatewayError, toGatewayError } from "../../engine/errors.ts";
import type { Portal } from "../../portal/portal.ts";
import { type HttpRequest, type HttpResponse, readHeader } from "../message.ts";
import type { RequestContext } from "../response/request-context.ts";
import { readSessionCookie, writeSessionCookie } from "./cookie.ts";
import { isFromThisMachine } from "./local.ts";
import { clearLoginCookie, readLoginCookie, writeLoginCookie } from "./login-cookie.ts";

/** One request of a browser. */
interface LoginRequest {
  readonly portal: Portal;
  readonly hasConsole: boolean;
  readonly exchange: RequestContext;
}

/** Answers one of the two pages of a login. */
export function answerLogin(page: "begin" | "finish", login: LoginRequest): Promise<HttpResponse> {
  return toPage(login, page === "begin" ? begin : finish);
}

async function begin({ portal, exchange }: LoginRequest): Promise<HttpResponse> {
  const { request, params } = exchange;
  const name = params.name ?? "";
  const { address, flow } = await portal.logins.begin(name, redirectUriOf(portal, request, name));
  return sendTo(address, writeLoginCookie(request, { name, ...flow }));
}

async function finish({ portal, exchange }: LoginRequest): Promise<HttpResponse> {
  const { request, params, eventId } = exchange;
  const login = readLoginCookie(request);
  if (login === undefined || login.name !== params.name) throw notBegun();
  const { name, ...flow } = login;
  const opened = await portal.logins.finish(
    { name, flow, query: request.query },
    { address: request.address, eventId },
  );
  const previous = readSessionCookie(request);
  if (previous !== undefined) await portal.sessions.logout(previous);
  // One cookie to a response: that of the login ends by itself, and its code is good once.
  return sendTo(`${request.prefix}/console/`, writeSessionCookie(request, opened.value));
}

/** A browser is shown the sign-in page with the reason of a failure; without a console there is none to show. */
async function toPage(
  login: LoginRequest,
  answer: (request: LoginRequest) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { request, eventId } = login.exchange;
  try {
    return await answer(login);
  } catch (thrown) {
    const { code } = toGatewayError(thrown);
    if (!login.hasConsole || code === "internal") throw thrown;
    const reason = `${request.prefix}/console/#login-error=${code}.${eventId}`;
    return sendTo(reason, clearLoginCookie(request));
  }
}

/** Where the provider sends the browser back to: below the address that users know, or on this machine the one that was asked. */
function redirectUriOf({ publicUrl }: Portal, request: HttpRequest, name: string): string {
  const path = `session/oidc/${name}/return`;
  if (publicUrl !== undefined) return new URL(path, publicUrl.endsWith("/") ? publicUrl : `${publicUrl}/`).href;
  if (isFromThisMachine(request)) return `http://${readHeader(request.headers, "host")}${request.prefix}/${path}`;
  const message = "A login at an OpenID provider needs `publicUrl`: the address of the gateway as its users reach it.";
  throw new GatewayError("invalid_configuration", message, { param: "publicUrl" });
}

function notBegun(): GatewayError {
  const message = "The login was not begun in this browser, or more than ten minutes ago: begin it again.";
  return new GatewayError("token_not_found", message, { param: "state" });
}

function sendTo(location: string, cookie: string): HttpResponse {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return { status: 302, headers: { ...headers, "set-cookie": cookie }, body: "" };
}
