import { useEffect, useState } from "preact/hooks";
import { toApiError } from "../../api/errors.ts";
import { type Credentials, type LoginOffer, linkFailure, readLoginOffers, signIn } from "../../api/session.ts";
import { useStore } from "../../api/store.ts";
import { language, languages, loadLanguage, type TextKey, text } from "../../i18n/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Select, TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Tabs } from "../../parts/page.tsx";
import { prefer } from "../preferences.ts";
import { takeLinkSecret, takeLoginError } from "./link-secret.ts";
import { PasswordForm } from "./password-form.tsx";

/** Codes of failures that have words of their own. */
const failures: Readonly<Record<string, TextKey>> = {
  token_not_found: "login.failed_token_not_found",
  permission_denied: "login.failed_permission_denied",
  upstream_unreachable: "login.failed_upstream_unreachable",
};

/** The buttons of the OpenID providers, and why the last login at one failed. */
function LoginProviders() {
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

/** The page of somebody who is not signed in. */
export function LoginPage() {
  return (
    <main class="login">
      <div class="card login-card">
        <div class="brand">
          <Icon name="route" size={22} />
          tollgate
        </div>
        <SignIn />
        <div class="login-foot">
          <a href="../docs">{text("console.api_docs")}</a>
          <Select
            label={text("label.language")}
            value={language()}
            choices={Object.entries(languages)}
            onChange={(lang) => {
              prefer({ language: lang });
              void loadLanguage();
            }}
          />
        </div>
      </div>
    </main>
  );
}

/** The form of a sign-in, or that of a link by which a password is set. */
function SignIn() {
  const [secret, setSecret] = useState(() => takeLinkSecret("password"));
  const [isSet, setIsSet] = useState(false);
  if (secret === undefined)
    return (
      <>
        <h1>{text("console.sign_in_title")}</h1>
        {isSet && <p role="status">{text("login.is_set")}</p>}
        <LinkEnded />
        <LoginProviders />
        <LoginForm kind={isSet ? "password" : "token"} />
      </>
    );
  return (
    <PasswordForm
      secret={secret}
      onSet={() => {
        setIsSet(true);
        setSecret(undefined);
      }}
    />
  );
}

/** Why the link that opened the page did not sign in. */
function LinkEnded() {
  const failure = useStore(linkFailure);
  if (!failure) return null;
  return (
    <p class="alert" role="alert">
      {failure.status === 401 ? text("login.link_ended") : messageOf(failure)}
    </p>
  );
}

/** Signs in with a token, or with a name and a password. What was typed lives in this form alone. */
export function LoginForm({ kind: first = "token" }: { readonly kind?: "token" | "password" }) {
  const [kind, setKind] = useState<string>(first);
  const [fields, setFields] = useState({ token: "", username: "", password: "", otp: "" });
  const [state, setState] = useState<FormState>({ isPending: false });
  const [needsCode, setNeedsCode] = useState(false);
  const { token, username, password, otp } = fields;
  const submit = async () => {
    setState({ isPending: true });
    const code = otp.trim() === "" ? {} : { otp: otp.trim() };
    const credentials: Credentials = kind === "token" ? { token: token.trim() } : { username, password, ...code };
    await signIn(credentials).catch((thrown) => {
      const isAsked = toApiError(thrown).param === "otp" && !needsCode;
      setNeedsCode(needsCode || isAsked);
      setState(isAsked ? { isPending: false } : { isPending: false, error: messageOf(thrown) });
    });
  };
  const change = (name: keyof typeof fields) => (value: string) => setFields({ ...fields, [name]: value });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Tabs
        tabs={[
          ["token", text("label.token")],
          ["password", text("console.password")],
        ]}
        active={kind}
        onChange={setKind}
      />
      {kind === "token" ? (
        <TextField
          {...{ label: text("label.token"), type: "password", value: token, error: state.error }}
          onInput={change("token")}
          isRequired
          isFocused
        />
      ) : (
        <PasswordFields {...{ fields, change, needsCode }} error={state.error} />
      )}
      <Button tone="primary" isSubmit isPending={state.isPending}>
        {text("action.sign_in")}
      </Button>
    </form>
  );
}

interface PasswordFieldsProps {
  readonly fields: { readonly username: string; readonly password: string; readonly otp: string };
  readonly change: (name: "username" | "password" | "otp") => (value: string) => void;
  /** True once the gateway has asked for a one-time code. */
  readonly needsCode: boolean;
  readonly error: string | undefined;
}

/** The fields of a sign-in with a name and a password. */
function PasswordFields({ fields: { username, password, otp }, change, needsCode, error }: PasswordFieldsProps) {
  return (
    <>
      <TextField
        {...{ label: text("label.user"), value: username, autoComplete: "username" }}
        onInput={change("username")}
        isRequired
      />
      <TextField
        {...{ label: text("console.password"), type: "password", value: password }}
        error={needsCode ? undefined : error}
        autoComplete="current-password"
        onInput={change("password")}
        isRequired
      />
      {needsCode && (
        <TextField
          {...{ label: text("login.otp"), value: otp, error: error, autoComplete: "one-time-code" }}
          onInput={change("otp")}
          isRequired
          isFocused
        />
      )}
    </>
  );
}

interface FormState {
  readonly isPending: boolean;
  readonly error?: string;
}

function messageOf(thrown: unknown): string {
  const { status, message } = toApiError(thrown);
  return status === 0 ? text("message.offline") : message;
}
