import type { AnswerOf, InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/clusters.ts";
import { createBinding, listBindings, readBinding } from "./bindings.ts";
import {
  listImages,
  listMachineTypes,
  listProfiles,
  listRegions,
  listVersions,
  readProfile,
} from "./cloud-profiles.ts";
import { makeKubeconfig } from "./kubeconfigs.ts";
import { changeProject, createProject, deleteProject, findProjects, showProject, type Task } from "./projects.ts";
import { changeSecret, createSecret, deleteSecret, listSecrets, readSecret } from "./secrets.ts";
import { changeShoot } from "./shoot-changes.ts";
import { createShoot, deleteShoot, listAllShoots, listShoots, showShoot } from "./shoots.ts";
import * as groups from "./worker-groups.ts";

type Rows = typeof clusters;

/** What serves each row of the area. */
type Operations = {
  readonly [Name in keyof Rows]: (task: Task, input: InputOf<Rows[Name]>) => Promise<AnswerOf<Rows[Name]>>;
};

/** Every operation of `/cluster` over the Kubernetes API of Gardener. */
export const operations: Operations = {
  secretBindings: listBindings,
  createSecretBinding: createBinding,
  secretBinding: readBinding,
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
