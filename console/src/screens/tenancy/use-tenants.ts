import { api, rowOf } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";

/** The tenants that the caller sees, or those in the bin; nothing is asked for without the permission. */
export function useTenants(isBin = false) {
  return useQuery({
    key: ["tenants.list", isBin],
    read: (signal) => api.tenants.list(isBin ? { status: "bin" } : {}, signal),
    isEnabled: isPermitted(rowOf("tenants.list")[2]),
  });
}
