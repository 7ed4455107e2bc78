import * as backups from "../backups.ts";
import * as clusters from "../clusters.ts";
import * as iaas from "../iaas.ts";
import * as objectstore from "../objectstore.ts";
import * as backupResources from "../resources/backups.ts";
import * as clusterResources from "../resources/clusters.ts";
import * as iaasResources from "../resources/iaas.ts";

/** The areas whose work is done by a region's back ends. */
export const infrastructure = {
  backups: backups.backups,
  clusters: clusters.clusters,
  iaas: iaas.iaas,
  objectstore: objectstore.objectstore,
};

/** Their resources by name. */
export const infrastructureSchemas: Readonly<Record<string, unknown>> = {
  ...backupResources,
  ...clusterResources,
  ...iaasResources,
  ...objectstore,
};
