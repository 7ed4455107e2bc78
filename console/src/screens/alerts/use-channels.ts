import { api } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isReachable } from "../../app/nav.ts";

/** The channels, for the names of them; none where they cannot be read. */
export function useAlertChannels() {
  return useQuery({
    key: ["alerts.channels"],
    read: (signal) => api.alerts.channels({}, signal),
    isEnabled: isReachable({ row: "alerts.channels" }),
  });
}
