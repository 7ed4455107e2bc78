import { useEffect, useState } from "preact/hooks";
import { type FollowState, follow } from "../api/follow.ts";
import { queries } from "../api/query.ts";

/**
 * Reads the lists of notifications again whenever they change; false while the stream is not open. Pages that nobody sees have none: a
 * browser opens only a few connections to a server.
 */
export function useNotificationStream(isAllowed: boolean): boolean {
  const isVisible = useVisibility();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isAllowed || !isVisible) return;
    const leave = new AbortController();
    const onEvents = () => void queries.invalidateQueries({ queryKey: ["notifications.list"] });
    const onState = (state: FollowState) => setOpen(state === "open");
    void follow({ path: "notification/stream", fields: {}, onEvents, onState }, leave.signal);
    return () => {
      leave.abort();
      setOpen(false);
    };
  }, [isAllowed, isVisible]);
  return isOpen;
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isVisible;
}
