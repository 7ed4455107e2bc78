/** Takes the secret of the link that opened the page out of the address and the history, and returns it. */
export function takeLinkSecret(kind: "password" | "sign-in"): string | undefined {
  const [, named, secret] = /^#(password|sign-in)=([\w-]{20,100})$/.exec(location.hash) ?? [];
  if (named !== kind) return undefined;
  if (secret !== undefined) history.replaceState(history.state, "", location.pathname + location.search);
  return secret;
}
