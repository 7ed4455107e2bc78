import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { imagesOf, kubernetesVersionsOf, machineTypesOf, ProfileSpec, regionsOf } from "../shared/clusters/profiles.ts";
import type { KubeObject } from "./client/kubernetes.ts";
import { shownMetadata } from "./objects.ts";
import type { GardenerOperation } from "./projects.ts";

interface ProfileName {
  readonly cloudprofilename: string;
}

function shownProfile({ metadata, spec }: KubeObject) {
  return { metadata: shownMetadata(metadata), ...(spec === undefined ? {} : { spec }) };
}

function read(
  { kubernetes, deadline }: GardenerOperation,
  { cloudprofilename: name }: ProfileName,
): Promise<KubeObject> {
  return kubernetes.read({ resource: "cloudProfile", name }, deadline);
}

async function readSpec(task: GardenerOperation, name: ProfileName): Promise<ProfileSpec> {
  const parsed = ProfileSpec.safeParse((await read(task, name)).spec ?? {});
  if (parsed.success) return parsed.data;
  const message = `The cloud profile \`${name.cloudprofilename}\` cannot be read.`;
  throw new GatewayError("backend_error", message, { cause: parsed.error });
}

/** `GET /cluster/cloudprofiles`. */
export async function listProfiles(
  { kubernetes, deadline }: GardenerOperation,
  { cloudprofilename }: InputOf<typeof clusters.cloudProfiles>,
) {
  const profiles = await kubernetes.list({ resource: "cloudProfile" }, deadline);
  return profiles
    .filter(({ metadata }) => cloudprofilename === undefined || metadata.name === cloudprofilename)
    .map(shownProfile);
}

/** `GET /cluster/cloudprofile/{cloudprofilename}`. */
export async function readProfile(task: GardenerOperation, name: ProfileName) {
  return [shownProfile(await read(task, name))];
}

/** `GET …/images`. */
export async function listImages(task: GardenerOperation, name: ProfileName) {
  return imagesOf(await readSpec(task, name));
}

/** `GET …/machine-types`. */
export async function listMachineTypes(task: GardenerOperation, name: ProfileName) {
  return machineTypesOf(await readSpec(task, name));
}

/** `GET …/regions`. */
export async function listRegions(task: GardenerOperation, name: ProfileName) {
  return regionsOf(await readSpec(task, name));
}

/** `GET …/kubernetes-versions`. */
export async function listVersions(task: GardenerOperation, name: ProfileName) {
  return kubernetesVersionsOf(await readSpec(task, name), task.call.now);
}
