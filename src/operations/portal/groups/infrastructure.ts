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
  Backup: backupResources.Backup,
  BackupPolicy: backupResources.BackupPolicy,
  BackupEntry: backupResources.BackupEntry,
  BackupProjectDetail: backupResources.BackupProjectDetail,
  BackupProjectEntry: backupResources.BackupProjectEntry,
  BackupVmDetail: backupResources.BackupVmDetail,
  BackupVmEntry: backupResources.BackupVmEntry,
  BackupVolumeDetail: backupResources.BackupVolumeDetail,
  BackupVolumeEntry: backupResources.BackupVolumeEntry,
  ClusterObj: clusterResources.ClusterObj,
  ClusterStatus: clusterResources.ClusterStatus,
  WorkerGroup: clusterResources.WorkerGroup,
  Kubeconfig: clusterResources.Kubeconfig,
  CloudProfileObj: clusterResources.CloudProfileObj,
  CloudProfileImage: clusterResources.CloudProfileImage,
  CloudProfileMachineType: clusterResources.CloudProfileMachineType,
  CloudProfileRegion: clusterResources.CloudProfileRegion,
  SecretBinding: clusterResources.SecretBinding,
  Secret: clusterResources.Secret,
  ProjectShoot: clusterResources.ProjectShoot,
  Domain: iaasResources.Domain,
  Project: iaasResources.Project,
  Credential: iaasResources.Credential,
  Server: iaasResources.Server,
  VolumeType: iaasResources.VolumeType,
  AvailabilityZone: iaasResources.AvailabilityZone,
  ProjectQuotaResult: iaasResources.ProjectQuotaResult,
  SharedBucket: objectstore.SharedBucket,
  SharedUrl: objectstore.SharedUrl,
};
