import { type HttpHeaders, type HttpRequest, readHeader } from "../message.ts";

/** The cookie of a session: bound to the host and sent over TLS only, except on this machine, where there is none (CONSOLE, C4). */
const secureName = "__Host-tg_session";
const loopbackName = "tg_session";
const attributes = "HttpOnly; SameSite=Strict; Path=/";

/** The longest value that can be one of ours: 32 bytes in base64. */
const longestValue = 64;

/** Returns the session's value in the cookies of a request. */
export function readSessionCookie({ headers }: Pick<HttpRequest, "headers">): string | undefined {
  const wanted = nameFor(headers);
  for (const pair of (readHeader(headers, "cookie") ?? "").split(";")) {
    const mark = pair.indexOf("=");
    if (pair.slice(0, mark).trim() !== wanted) continue;
    const value = pair.slice(mark + 1).trim();
    return value !== "" && value.length <= longestValue ? value : undefined;
  }
  return undefined;
}

/** Returns the header that sets the cookie, until the browser ends or the server ends the session. */
export function writeSessionCookie({ headers }: Pick<HttpRequest, "headers">, value: string): string {
  const name = nameFor(headers);
  return `${name}=${value}; ${attributes}${name === secureName ? "; Secure" : ""}`;
}

/** Returns the header that removes the cookie. */
export function clearSessionCookie(request: Pick<HttpRequest, "headers">): string {
  return `${writeSessionCookie(request, "")}; Max-Age=0`;
}

function nameFor(headers: HttpHeaders): string {
  return namesThisMachine(headers) ? loopbackName : secureName;
}

/** True where `host` is a name of the machine that the caller is on. */
export function namesThisMachine(headers: HttpHeaders): boolean {
  const host = (readHeader(headers, "host") ?? "").replace(/:\d+$/, "").toLowerCase();
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
