import { useEffect } from "preact/hooks";
import { restoreSession, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { loadTenantTexts, text, useLanguage } from "../i18n/texts.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorAlert } from "../parts/states.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Shell } from "./shell.tsx";
import { LoginForm, LoginPage } from "./sign-in/login.tsx";

/** The console: what is shown depends on the session alone. */
export function App() {
  const state = useStore(session);
  const lang = useLanguage();
  const isSignedIn = state.kind === "signed_in";
  useEffect(() => {
    if (isSignedIn) void loadTenantTexts();
  }, [isSignedIn]);
  if (state.kind === "unknown") return null;
  if (state.kind === "signed_out") return <LoginPage key={lang} />;
  if (state.kind === "unreachable")
    return (
      <main class="login">
        <ErrorAlert error={state.error} onRetry={() => void restoreSession()} />
      </main>
    );
  return (
    <>
      <Shell key={lang} context={state.context} />
      {state.kind === "expired" && (
        <Dialog title={text("console.session_ended")} canClose={false} onClose={() => {}}>
          <LoginForm />
        </Dialog>
      )}
      <Toasts />
    </>
  );
}
