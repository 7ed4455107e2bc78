import { z } from "zod";
import { op } from "../../define.ts";
import { id, instant, text, title } from "../fields.ts";

const isExtension = true;

/** An image that servers are made from, also one that a backup was restored as. */
export const Image = z.object({
  created: instant.optional(),
  disk_format: z.string().optional(),
  id: z.string(),
  name: z.string(),
  /** Absent for an image of the provider. */
  project_id: z.string().optional(),
  /** Bytes. */
  size: z.number().optional(),
  status: z.string().optional(),
  visibility: z.string().optional(),
});
export type Image = z.output<typeof Image>;

/** A size of servers: virtual processors, memory in megabytes, disk in gigabytes. */
export const Flavor = z.object({
  disk: z.number(),
  id: z.string(),
  name: z.string(),
  ram: z.number(),
  vcpus: z.number(),
});
export type Flavor = z.output<typeof Flavor>;

/** A limit of a project as its service holds it; -1 for no limit. */
export const ProjectQuota = z.object({ limit: z.number(), quota: z.string(), used: z.number() });
export type ProjectQuota = z.output<typeof ProjectQuota>;

/** What was created, as it is on its way. */
const Created = z.object({ id: z.string(), status: z.string() });

/** Gigabytes of a volume. */
const gigabytes = z.int().min(1).max(65_536);

/** Servers, volumes and load balancers: what is made and changed, and what it is made of. */
export const compute = {
  images: op("GET /iaas/images", "iaas_images-get", "List images", { out: z.array(Image), isExtension }),
  flavors: op("GET /iaas/flavors", "iaas_flavors-get", "List flavors", { out: z.array(Flavor), isExtension }),
  projectQuotas: op(
    "GET /iaas/projects/{project_id}/quotas",
    "iaas_project_quotas-get",
    "List the quotas of a project",
    {
      out: z.array(ProjectQuota),
      isExtension,
    },
  ),
  createServer: op("POST /iaas/servers", "iaas_servers-post", "Create a server", {
    in: {
      project_id: id,
      name: title,
      flavor: text,
      image: text,
      network_id: id.optional(),
      availability_zone: text.optional(),
    },
    out: Created,
    isExtension,
  }),
  deleteServer: op("DELETE /iaas/servers/{server_id}", "iaas_server-delete", "Delete a server", { isExtension }),
  startServer: op("POST /iaas/servers/{server_id}/start", "iaas_server_start-post", "Start a server", { isExtension }),
  stopServer: op("POST /iaas/servers/{server_id}/stop", "iaas_server_stop-post", "Stop a server", { isExtension }),
  createVolume: op("POST /iaas/volumes", "iaas_volumes-post", "Create a volume", {
    in: {
      project_id: id,
      name: title,
      size: gigabytes,
      volume_type: text.optional(),
      availability_zone: text.optional(),
    },
    out: Created,
    isExtension,
  }),
  deleteVolume: op("DELETE /iaas/volumes/{volume_id}", "iaas_volume-delete", "Delete a volume", { isExtension }),
  createLoadBalancer: op("POST /iaas/loadbalancers", "iaas_loadbalancers-post", "Create a load balancer", {
    in: { project_id: id, name: title, network_id: id, description: text.optional() },
    out: Created,
    isExtension,
  }),
  deleteLoadBalancer: op(
    "DELETE /iaas/loadbalancers/{loadbalancer_id}",
    "iaas_loadbalancer-delete",
    "Delete a load balancer with its listeners, pools and members",
    { isExtension },
  ),
  attachVolume: op("POST /iaas/volumes/{volume_id}/attach", "iaas_volume_attach-post", "Attach a volume to a server", {
    in: { server_id: id },
    isExtension,
  }),
  detachVolume: op(
    "POST /iaas/volumes/{volume_id}/detach",
    "iaas_volume_detach-post",
    "Detach a volume from a server",
    {
      in: { server_id: id },
      isExtension,
    },
  ),
};
