import { api, rowOf } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";

/** Returns what a value of a dimension is called: the name of a key or project where the caller may list them. */
export function useNames(dimension: string): (id: string) => string {
  const keys = useQuery({
    key: ["ai.keys"],
    read: (signal) => api.ai.keys({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: dimension === "key_id" && isPermitted(rowOf("ai.keys")[2]),
  });
  const projects = useQuery({
    key: ["ai.projects"],
    read: (signal) => api.ai.projects({}, signal),
    staleMs: freshFor.catalogue,
    isEnabled: dimension === "project_id" && isPermitted(rowOf("ai.projects")[2]),
  });
  const named = dimension === "key_id" ? keys.value : dimension === "project_id" ? projects.value : undefined;
  const names = new Map((named ?? []).map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
