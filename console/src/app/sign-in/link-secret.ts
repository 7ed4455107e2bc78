/** Takes the reason of a login that failed at an OpenID provider out of the address, and returns it. */
export function takeLoginError(): { readonly code: string; readonly eventId: string } | undefined {
  const [, code, eventId] = /^#login-error=([a-z_]{3,40})\.([\w-]{1,64})$/.exec(location.hash) ?? [];
  if (code === undefined || eventId === undefined) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return { code, eventId };
}

/** Takes the secret of the link that opened the page out of the address and the history, and returns it. */
export function takeLinkSecret(kind: "password" | "sign-in"): string | undefined {
  const [, named, secret] = /^#(password|sign-in)=([\w-]{20,100})$/.exec(location.hash) ?? [];
  if (named !== kind) return undefined;
  if (secret !== undefined) history.replaceState(history.state, "", location.pathname + location.search);
  return secret;
}
