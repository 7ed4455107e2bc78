import { z } from "zod";
import { op } from "../../define.ts";
import { clusterName, expiration, flag, id, note, obj, secret, text, words, workers } from "../fields.ts";
import { cloudProfileRows } from "./cloud-profiles.ts";
import {
  ClusterObj,
  ClusterStatus,
  Kubeconfig,
  ProjectShoot,
  Secret,
  SecretBinding,
  WorkerGroup,
} from "./cluster-resources.ts";

/** What can be changed of a worker group. */
const workerChanges = {
  image_name: text.optional(),
  image_version: text.optional(),
  maximum_workers: workers.optional(),
  minimum_workers: workers.optional(),
  iaas_flavor: text.optional(),
  zones: words.min(1).optional(),
};

/** Container clusters: projects, secrets, clusters, worker groups, cloud profiles. */
export const clusters = {
  secretBindings: op(
    "GET /cluster/{namespace}/secretbindings",
    "cluster_secret_bindings-get",
    "List the secret bindings of a namespace",
    { out: z.array(SecretBinding) },
  ),
  createSecretBinding: op("POST /cluster/{namespace}/secretbindings", "cluster_secret_bindings-post", "Bind a secret", {
    in: { secret_name: text, secretbinding_name: clusterName(63) },
    out: z.object({ metadata: obj, provider: obj, secretRef: obj }),
  }),
  secretBinding: op(
    "GET /cluster/{namespace}/secretbindings/{secret_binding_name}",
    "cluster_secret_bindings_actions-get",
    "Read one secret binding",
    { out: z.array(SecretBinding) },
  ),
  deleteSecretBinding: op(
    "DELETE /cluster/{namespace}/secretbindings/{secret_binding_name}",
    "cluster_secret_bindings_actions-delete",
    "Delete a secret binding that no cluster uses",
    { out: ClusterStatus, isExtension: true },
  ),
  secrets: op("GET /cluster/{namespace}/secrets", "cluster_secrets-get", "List the secrets of a namespace", {
    out: z.array(Secret),
  }),
  createSecret: op("POST /cluster/{namespace}/secrets", "cluster_secrets-post", "Create a secret", {
    in: {
      app_credential_id: id,
      app_credential_name: text,
      app_credential_secret: secret,
      domain_name: text,
      project_name: text,
      secret_name: clusterName(63),
    },
    out: Secret,
  }),
  deleteSecret: op(
    "DELETE /cluster/{namespace}/secrets/{secret_name}",
    "cluster_secret_actions-delete",
    "Delete a secret",
    { out: ClusterStatus },
  ),
  secret: op("GET /cluster/{namespace}/secrets/{secret_name}", "cluster_secret_actions-get", "Read one secret", {
    out: z.array(Secret),
  }),
  changeSecret: op(
    "PATCH /cluster/{namespace}/secrets/{secret_name}",
    "cluster_secret_actions-patch",
    "Change a secret",
    {
      in: {
        app_credential_id: id.optional(),
        app_credential_name: text.optional(),
        app_credential_secret: secret.optional(),
        domain_name: text.optional(),
        project_name: text.optional(),
      },
      out: Secret,
    },
  ),
  shoots: op("GET /cluster/{namespace}/shoots", "cluster_shoots-get", "List the clusters of a namespace", {
    out: z.array(ClusterObj),
  }),
  createShoot: op("POST /cluster/{namespace}/shoots", "cluster_shoots-post", "Create a cluster", {
    in: {
      cloud_profile_name: text,
      image_name: text,
      image_version: text,
      kubernetes_version: text,
      iaas_flavor: text,
      purpose: text,
      region: text,
      secret_binding_name: text,
      shoot_name: clusterName(20),
      zones: words.min(1),
      maximum_workers: workers.optional(),
      minimum_workers: workers.optional(),
      network_type: text.optional(),
    },
    out: ClusterObj,
    rules: ["`minimum_workers` must not be above `maximum_workers`."],
  }),
  deleteShoot: op(
    "DELETE /cluster/{namespace}/shoots/{shoot_name}",
    "cluster_shoot_actions-delete",
    "Delete a cluster",
    { in: { force: flag.optional() }, out: ClusterStatus },
  ),
  shoot: op("GET /cluster/{namespace}/shoots/{shoot_name}", "cluster_shoot_actions-get", "Read one cluster", {
    out: z.array(ClusterObj),
  }),
  changeShoot: op(
    "PATCH /cluster/{namespace}/shoots/{shoot_name}",
    "cluster_shoot_actions-patch",
    "Change a cluster; worker fields change its default worker group",
    {
      in: {
        ...workerChanges,
        kubernetes_version: text.optional(),
        purpose: text.optional(),
        secret_binding_name: text.optional(),
      },
      out: ClusterObj,
    },
  ),
  hibernateShoot: op(
    "POST /cluster/{namespace}/shoots/{shoot_name}/hibernate",
    "cluster_shoot_hibernate-post",
    "Hibernate a cluster: its machines are given back, what is stored in it stays",
    { out: ClusterObj, isExtension: true },
  ),
  wakeShoot: op(
    "POST /cluster/{namespace}/shoots/{shoot_name}/wake_up",
    "cluster_shoot_wake_up-post",
    "Wake up a hibernated cluster",
    { out: ClusterObj, isExtension: true },
  ),
  adminKubeconfig: op(
    "GET /cluster/{namespace}/shoots/{shoot_name}/adminkubeconfig",
    "cluster_shoot_kube_admin_config_actions-get",
    "Make a kubeconfig with all rights, for a limited time",
    { in: { expiration_seconds: expiration.optional() }, out: Kubeconfig, once: ["kubeconfig"] },
  ),
  viewerKubeconfig: op(
    "GET /cluster/{namespace}/shoots/{shoot_name}/viewerkubeconfig",
    "cluster_shoot_kube_viwer_config_actions-get",
    "Make a kubeconfig that can only read, for a limited time",
    { in: { expiration_seconds: expiration.optional() }, out: Kubeconfig, once: ["kubeconfig"] },
  ),
  workerGroups: op(
    "GET /cluster/{namespace}/shoots/{shoot_name}/workergroups",
    "cluster_shoot_worker_groups-get",
    "List the worker groups of a cluster",
    { out: z.array(WorkerGroup) },
  ),
  createWorkerGroup: op(
    "POST /cluster/{namespace}/shoots/{shoot_name}/workergroups",
    "cluster_shoot_worker_groups-post",
    "Add a worker group",
    {
      in: {
        image_name: text,
        image_version: text,
        maximum_workers: workers,
        minimum_workers: workers,
        iaas_flavor: text,
        worker_name: clusterName(15),
        zones: words.min(1),
      },
      out: ClusterObj,
      rules: ["`minimum_workers` must not be above `maximum_workers`."],
    },
  ),
  deleteWorkerGroup: op(
    "DELETE /cluster/{namespace}/shoots/{shoot_name}/workergroups/{worker_group_name}",
    "cluster_shoot_worker_groups_operations-delete",
    "Delete a worker group",
    { out: ClusterObj },
  ),
  workerGroup: op(
    "GET /cluster/{namespace}/shoots/{shoot_name}/workergroups/{worker_group_name}",
    "cluster_shoot_worker_groups_operations-get",
    "Read one worker group",
    { out: WorkerGroup },
  ),
  changeWorkerGroup: op(
    "PATCH /cluster/{namespace}/shoots/{shoot_name}/workergroups/{worker_group_name}",
    "cluster_shoot_worker_groups_operations-patch",
    "Change a worker group",
    { in: { ...workerChanges }, out: ClusterObj, rules: ["`minimum_workers` must not be above `maximum_workers`."] },
  ),
  ...cloudProfileRows,
  projects: op("GET /cluster/projects", "cluster_projects-get", "List cluster projects", {
    in: { namespace_filter: text.optional(), project_name: text.optional() },
    out: z.array(ClusterObj),
  }),
  createProject: op("POST /cluster/projects", "cluster_projects-post", "Create a cluster project", {
    in: {
      project_id: id,
      purpose: text,
      description: note.optional(),
      owner: text.optional(),
      reseller_prefix: text.optional(),
    },
    out: ClusterObj,
  }),
  deleteProject: op(
    "DELETE /cluster/projects/{project_name}",
    "cluster_project_action-delete",
    "Delete a cluster project",
    { in: { force: flag.optional() }, out: z.object({ msg: z.string() }) },
  ),
  project: op("GET /cluster/projects/{project_name}", "cluster_project_action-get", "Read one cluster project", {
    out: z.array(ClusterObj),
  }),
  changeProject: op(
    "PATCH /cluster/projects/{project_name}",
    "cluster_project_action-patch",
    "Change a cluster project",
    {
      in: {
        description: note.optional(),
        owner: text.optional(),
        prepare_delete: flag.optional(),
        purpose: text.optional(),
      },
      out: ClusterObj,
    },
  ),
  allShoots: op(
    "GET /cluster/shoots",
    "cluster_all_shoots-get",
    "List the clusters of all namespaces, with the project each belongs to",
    { in: { kubernetes_project_name: text.optional(), shoot_name: text.optional() }, out: z.array(ProjectShoot) },
  ),
};
