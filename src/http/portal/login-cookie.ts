import { z } from "zod";
import type { LoginFlow } from "../../engine/ports/identity/login-provider.ts";
import { type HttpRequest, readHeader } from "../message.ts";
import { namesThisMachine } from "./cookie.ts";

/** A login that is under way, in the browser that began it. `Lax`: it comes back from another site. */
const secureName = "__Host-tg_login";
const loopbackName = "tg_login";
const attributes = "HttpOnly; SameSite=Lax; Path=/";

/** Seconds in which a person logs in at the provider. */
const lifeSeconds = 600;

/** Characters of the longest cookie that can be one of ours. */
const longestValue = 4_096;

const LoginState = z.strictObject({
  name: z.string(),
  redirectUri: z.url(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

/** A login under way and its provider. */
export type LoginState = LoginFlow & { readonly name: string };

/** Returns the login of the request's cookie. */
export function readLoginCookie({ headers }: Pick<HttpRequest, "headers">): LoginState | undefined {
  const name = nameFor(headers);
  const pairs = (readHeader(headers, "cookie") ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  if (value === "" || value.length > longestValue) return undefined;
  try {
    return LoginState.parse(JSON.parse(Buffer.from(value, "base64url").toString()));
  } catch {
    return undefined;
  }
}

/** Returns the header that remembers a login for ten minutes. */
export function writeLoginCookie({ headers }: Pick<HttpRequest, "headers">, login: LoginState): string {
  const value = Buffer.from(JSON.stringify(login)).toString("base64url");
  return `${cookie(headers, value)}; Max-Age=${lifeSeconds}`;
}

/** Returns the header that forgets it. */
export function clearLoginCookie({ headers }: Pick<HttpRequest, "headers">): string {
  return `${cookie(headers, "")}; Max-Age=0`;
}

function cookie(headers: HttpRequest["headers"], value: string): string {
  const name = nameFor(headers);
  return `${name}=${value}; ${attributes}${name === secureName ? "; Secure" : ""}`;
}

function nameFor(headers: HttpRequest["headers"]): string {
  return namesThisMachine(headers) ? loopbackName : secureName;
}
