import { GatewayError } from "../../../src/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/clusters.ts";
import { imagesOf, kubernetesVersionsOf, machineTypesOf, ProfileSpec, regionsOf } from "../shared/clusters/profiles.ts";
import type { KubeObject } from "./kubernetes.ts";
import { shownMetadata } from "./objects.ts";
import type { Task } from "./projects.ts";

interface ProfileName {
  readonly cloudprofilename: string;
}

function shownProfile({ metadata, spec }: KubeObject) {
  return { metadata: shownMetadata(metadata), ...(spec === undefined ? {} : { spec }) };
}

function read({ kubernetes, work }: Task, { cloudprofilename: name }: ProfileName): Promise<KubeObject> {
  return kubernetes.read({ resource: "cloudProfile", name }, work);
}

async function readSpec(task: Task, name: ProfileName): Promise<ProfileSpec> {
  const parsed = ProfileSpec.safeParse((await read(task, name)).spec ?? {});
  if (parsed.success) return parsed.data;
  const message = `The cloud profile \`${name.cloudprofilename}\` cannot be read.`;
  throw new GatewayError("backend_error", message, { cause: parsed.error });
}

/** `GET /cluster/cloudprofiles`. */
export async function listProfiles(
  { kubernetes, work }: Task,
  { cloudprofilename }: InputOf<typeof clusters.cloudProfiles>,
) {
  const profiles = await kubernetes.list({ resource: "cloudProfile" }, work);
  return profiles
    .filter(({ metadata }) => cloudprofilename === undefined || metadata.name === cloudprofilename)
    .map(shownProfile);
}

/** `GET /cluster/cloudprofile/{cloudprofilename}`. */
export async function readProfile(task: Task, name: ProfileName) {
  return [shownProfile(await read(task, name))];
}

/** `GET …/images`. */
export async function listImages(task: Task, name: ProfileName) {
  return imagesOf(await readSpec(task, name));
}

/** `GET …/machine-types`. */
export async function listMachineTypes(task: Task, name: ProfileName) {
  return machineTypesOf(await readSpec(task, name));
}

/** `GET …/regions`. */
export async function listRegions(task: Task, name: ProfileName) {
  return regionsOf(await readSpec(task, name));
}

/** `GET …/kubernetes-versions`. */
export async function listVersions(task: Task, name: ProfileName) {
  return kubernetesVersionsOf(await readSpec(task, name), task.call.now);
}
