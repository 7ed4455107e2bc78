import { api, rowOf } from "../../api/client.ts";
import { type QueryState, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import type { AiKey } from "./key-state.tsx";

/** The virtual keys that the caller sees; nothing is asked for without the permission. */
export function useKeys(isEnabled = true): QueryState<readonly AiKey[]> {
  return useQuery({
    key: ["ai.keys"],
    read: (signal) => api.ai.keys({}, signal),
    isEnabled: isEnabled && isPermitted(rowOf("ai.keys")[2]),
  });
}
