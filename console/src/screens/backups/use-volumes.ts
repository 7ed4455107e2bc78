import { api, rowOf } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";

/** A volume, as far as it is read here. */
export interface Volume {
  readonly id: string;
  readonly name?: string;
  readonly size?: number;
  readonly status?: string;
  readonly volume_type?: string;
  readonly availability_zone?: string;
  readonly attachments?: readonly { readonly server_id?: string; readonly device?: string }[];
}

/** The volumes that the caller sees by their ids, with the names of the servers that they are attached to. */
export function useVolumes() {
  const volumes = useQuery({
    key: ["iaas.volumes"],
    read: (signal) => api.iaas.volumes({}, signal),
    isEnabled: isPermitted(rowOf("iaas.volumes")[2]),
  });
  const servers = useQuery({
    key: ["iaas.servers"],
    read: (signal) => api.iaas.servers({}, signal),
    isEnabled: isPermitted(rowOf("iaas.servers")[2]),
  });
  const known = (volumes.value?.volumes ?? []) as readonly Volume[]; // seam: the specification leaves their shape open
  const byId = new Map(known.map((volume) => [volume.id, volume]));
  const nameOfServer = (id: string) => servers.value?.find((server) => server.id === id)?.name ?? id;
  return {
    byId,
    nameOf: (id: string) => byId.get(id)?.name ?? id,
    serversOf: (id: string) => (byId.get(id)?.attachments ?? []).map(({ server_id = "" }) => nameOfServer(server_id)),
  };
}
