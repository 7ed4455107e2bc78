import { useEffect, useRef, useState } from "preact/hooks";
import { connection } from "../api/connection.ts";
import { stepOf } from "../api/keep-session.ts";
import { askAgain, probeSession, renewSession, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { exactTime, relativeTime } from "../format/time.ts";
import { language, text } from "../i18n/texts.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";

const tickMs = 15_000;
const probeMs = 5_000;

/** Keeps the session of somebody who works, warns before it ends, and says when the gateway is not reached. */
export function SessionWatch() {
  const state = useStore(session);
  const { isOnline, since } = useStore(connection);
  const activeAt = useRef(Date.now());
  const [isWarned, setWarned] = useState(false);
  useEffect(() => {
    const note = () => {
      activeAt.current = Date.now();
    };
    for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, note);
    return () => {
      for (const event of ["pointerdown", "keydown"]) document.removeEventListener(event, note);
    };
  }, []);
  useEffect(() => {
    const look = () => {
      if (state.kind !== "signed_in") return;
      const step = stepOf({ ...state.times, activeAt: activeAt.current }, Date.now());
      setWarned(step === "warn");
      if (step === "renew") void renewSession();
    };
    look();
    const timer = setInterval(look, tickMs);
    return () => clearInterval(timer);
  }, [state]);
  useEffect(() => {
    if (isOnline) return undefined;
    const timer = setInterval(() => void probeSession(), probeMs);
    return () => clearInterval(timer);
  }, [isOnline]);
  if (!isOnline) return <Banner>{text("session.offline", { when: exactTime(since, language()) })}</Banner>;
  if (!isWarned || state.kind !== "signed_in") return null;
  const when = relativeTime(state.times.endsAt, Date.now(), language());
  return (
    <Banner
      action={
        <Button isSmall onPress={askAgain}>
          {text("session.extend")}
        </Button>
      }
    >
      {text("session.ends", { when })}
    </Banner>
  );
}

function Banner({ children, action }: { readonly children: string; readonly action?: preact.ComponentChildren }) {
  return (
    <div class="alert alert-warn banner" role="status">
      <Icon name="alert" />
      <div class="alert-body">{children}</div>
      {action}
    </div>
  );
}
