import type { AnswerOf, InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { createBinding, deleteBinding, listBindings, readBinding } from "./bindings.ts";
import {
  listImages,
  listMachineTypes,
  listProfiles,
  listRegions,
  listVersions,
  readProfile,
} from "./cloud-profiles.ts";
import { makeKubeconfig } from "./kubeconfigs.ts";
import {
  changeProject,
  createProject,
  deleteProject,
  findProjects,
  type GardenerOperation,
  showProject,
} from "./projects.ts";
import { changeSecret, createSecret, deleteSecret, listSecrets, readSecret } from "./secrets.ts";
import { changeShoot, setHibernation } from "./shoot-changes.ts";
import { createShoot, deleteShoot, listAllShoots, listShoots, showShoot } from "./shoots.ts";
import * as groups from "./worker-groups.ts";

type ClusterRows = typeof clusters;

/** What serves each row of the area. */
type ClusterOperations = {
  readonly [Name in keyof ClusterRows]: (
    task: GardenerOperation,
    input: InputOf<ClusterRows[Name]>,
  ) => Promise<AnswerOf<ClusterRows[Name]>>;
};

/** Every operation of `/cluster` over the Kubernetes API of Gardener. */
export const operations: ClusterOperations = {
  secretBindings: listBindings,
  createSecretBinding: createBinding,
  secretBinding: readBinding,
  deleteSecretBinding: deleteBinding,
  secrets: listSecrets,
  createSecret,
  deleteSecret,
  secret: readSecret,
  changeSecret,
  shoots: listShoots,
  createShoot,
  deleteShoot,
  shoot: showShoot,
  changeShoot,
  hibernateShoot: (task, input) => setHibernation(task, input, true),
  wakeShoot: (task, input) => setHibernation(task, input, false),
  adminKubeconfig: (task, input) => makeKubeconfig(task, "admin", input),
  viewerKubeconfig: (task, input) => makeKubeconfig(task, "viewer", input),
  workerGroups: groups.listWorkerGroups,
  createWorkerGroup: groups.createWorkerGroup,
  deleteWorkerGroup: groups.deleteWorkerGroup,
  workerGroup: groups.readWorkerGroup,
  changeWorkerGroup: groups.changeWorkerGroup,
  cloudProfile: readProfile,
  images: listImages,
  kubernetesVersions: listVersions,
  machineTypes: listMachineTypes,
  regions: listRegions,
  cloudProfiles: listProfiles,
  projects: findProjects,
  createProject,
  deleteProject,
  project: showProject,
  changeProject,
  allShoots: listAllShoots,
};
