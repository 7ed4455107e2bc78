import { useEffect, useState } from "preact/hooks";
import { type LoginOffer, readLoginOffers } from "../../api/session.ts";
import { type TextKey, text } from "../../i18n/texts.ts";
import { takeLoginError } from "./link-secret.ts";

/** Codes of failures that have words of their own. */
const failures: Readonly<Record<string, TextKey>> = {
  token_not_found: "login.failed_token_not_found",
  permission_denied: "login.failed_permission_denied",
  upstream_unreachable: "login.failed_upstream_unreachable",
};

/** The buttons of the OpenID providers, and why the last login at one failed. */
export function LoginProviders() {
  const [failure] = useState(takeLoginError);
  const [offers, setOffers] = useState<readonly LoginOffer[]>([]);
  useEffect(() => {
    readLoginOffers().then(setOffers, () => {}); // the form below does without
  }, []);
  return (
    <>
      {failure && (
        <p class="alert" role="alert">
          {text(failures[failure.code] ?? "login.failed")} <small>{failure.eventId}</small>
        </p>
      )}
      {offers.map(({ name, label }) => (
        <a key={name} class="button login-provider" href={`../session/oidc/${encodeURIComponent(name)}`}>
          {text("login.with", { name: label })}
        </a>
      ))}
    </>
  );
}
