import * as backupResources from "./backup-resources.ts";
import * as backups from "./backups.ts";
import * as clusterResources from "./cluster-resources.ts";
import * as clusters from "./clusters.ts";
import * as iaas from "./iaas.ts";
import * as iaasCompute from "./iaas-compute.ts";
import * as iaasResources from "./iaas-resources.ts";
import * as objectstore from "./objectstore.ts";

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
  Project: iaasResources.IaasProject,
  Credential: iaasResources.IaasCredential,
  Server: iaasResources.Server,
  Image: iaasCompute.Image,
  Flavor: iaasCompute.Flavor,
  ProjectQuota: iaasCompute.ProjectQuota,
  VolumeType: iaasResources.VolumeType,
  AvailabilityZone: iaasResources.AvailabilityZone,
  ProjectQuotaResult: iaasResources.ProjectQuotaResult,
  Bucket: objectstore.Bucket,
  ReceivedBucket: objectstore.ReceivedBucket,
  SharedBucket: objectstore.SharedBucket,
  SharedObject: objectstore.SharedObject,
  StoreObject: objectstore.StoreObject,
  SharedUrl: objectstore.SharedUrl,
};
