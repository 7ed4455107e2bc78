import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { isReachable } from "../../app/nav.ts";
import { useLocation } from "../../app/router.ts";
import { textOf } from "../../app/search.ts";
import { useProjects } from "../infrastructure/read.ts";
import { storeOf } from "./store.ts";

/** The objects that are shared by an address. */
export function useSharedObjects() {
  return useQuery({
    key: ["objectstore.sharedObjects"],
    read: (signal) => api.objectstore.sharedObjects({}, signal),
    isEnabled: isReachable({ row: "objectstore.sharedObjects" }),
  });
}

/** The shared address of an object. */
export function useSharedUrl(shared: { readonly bucket: string; readonly object_key: string } | undefined) {
  const { bucket = "", object_key: key = "" } = shared ?? {};
  return useQuery({
    key: ["objectstore.sharedUrl", bucket, key],
    read: (signal) => api.objectstore.sharedUrl({ bucket, key }, signal),
    isEnabled: shared !== undefined && isReachable({ row: "objectstore.sharedUrl" }),
    staleMs: freshFor.catalogue,
  });
}

/** The address of the object store: that of the page's address, else that of something that is shared already. */
export function useStoreAddress(): string {
  const chosen = textOf(useLocation().search.store);
  const [first] = useSharedObjects().value ?? [];
  const { value } = useSharedUrl(chosen === "" ? first : undefined);
  return chosen || (value && storeOf(value)) || "";
}

/** The names of projects by their ids; an id that is not known as it is. */
export function useProjectNames(): (id: string) => string {
  const projects = useProjects();
  return (id) => projects.value?.find((one) => one.id === id)?.name ?? id;
}
