import { expect } from "vitest";
import { clusters } from "../../src/operations/portal/clusters.ts";
import type { PortalCall } from "../../src/portal/call.ts";
import type { AreaBackend } from "../../src/portal/regions.ts";
import { mapTexts, openTranscript, type Transcript } from "./transcript.ts";

/** A back end of clusters under test, and what a real installation would do around it. */
export interface ClusterSubject {
  readonly backend: AreaBackend<"clusters">;
  /** Unlike in every run: part of every name and id that a cloud keeps. */
  readonly suffix: string;
  /** A call by the provider, and one by a client who may see nothing of it. */
  readonly provider: PortalCall;
  readonly stranger: PortalCall;
  /** The cloud profile {@link cloudProfileSpec} under the name `cp-<suffix>`. */
  readonly profile: string;
  /** Makes the namespace of a new project, which Gardener's controllers do later than the project. */
  makeNamespace(name: string): Promise<void>;
}

/** The cloud profile that the suite is told with; seeded into every back end. */
export const cloudProfileSpec = {
  type: "openstack",
  kubernetes: {
    versions: [
      { version: "1.26.4", expirationDate: "2020-01-01T00:00:00Z" },
      { version: "1.27.5" },
      { version: "1.28.1", classification: "preview" },
    ],
  },
  machineImages: [{ name: "ubuntu", versions: [{ version: "22.4.0" }, { version: "22.4.1" }] }],
  machineTypes: [
    { name: "m1.large", architecture: "amd64", cpu: "4", gpu: "0", memory: "8Gi", usable: true },
    {
      name: "m1.small",
      cpu: "2",
      gpu: "0",
      memory: "4Gi",
      storage: { class: "standard", size: "20Gi", type: "default" },
    },
  ],
  regions: [{ name: "r1", zones: [{ name: "z1" }, { name: "z2" }] }],
  providerConfig: {
    apiVersion: "openstack.provider.extensions.gardener.cloud/v1alpha1",
    kind: "CloudProfileConfig",
    constraints: {
      floatingPools: [{ name: "elsewhere", region: "r9" }, { name: "public" }],
      loadBalancerProviders: [{ name: "amphora", region: "r9" }, { name: "octavia" }],
    },
  },
};

/** Of an object's metadata only what the portal promises, so that labels and counters of one kind of server do not matter. */
function keepPromised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keepPromised);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => key !== "status" || typeof value === "string");
  return Object.fromEntries(
    fields.map(([key, field]) => [key, key === "metadata" ? promisedMetadata(field) : keepPromised(field)]),
  );
}

function promisedMetadata(metadata: unknown): unknown {
  const { name, namespace, annotations } = metadata as Readonly<Record<string, unknown>>;
  return { name, namespace, annotations };
}

/** Of a deletion's status what tells a client what was deleted. */
function keepOfStatus(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "Status")
    return keepPromised(value);
  const { apiVersion, kind, status, details } = value as { details?: { name?: string; kind?: string } } & Record<
    string,
    unknown
  >;
  return { apiVersion, kind, status, details: { name: details?.name, kind: details?.kind } };
}

type Story = (transcript: Transcript, subject: ClusterSubject) => Promise<void>;

const shootInput = (namespace: string, { suffix, profile }: ClusterSubject) => ({
  namespace,
  shoot_name: "web",
  cloud_profile_name: profile,
  image_name: "ubuntu",
  image_version: "22.4.0",
  kubernetes_version: "1.27.5",
  iaas_flavor: "m1.large",
  purpose: "testing",
  region: "r1",
  secret_binding_name: `sb-${suffix}`,
  zones: ["z1"],
});

const tellProfiles: Story = async ({ tell }, { profile: cloudprofilename }) => {
  await tell("cloud profiles by name", "cloudProfiles", { cloudprofilename });
  await tell("one cloud profile", "cloudProfile", { cloudprofilename });
  await tell("a cloud profile that is not there", "cloudProfile", { cloudprofilename: "no-such-profile" });
  await tell("a name that no object can have", "images", { cloudprofilename: "../secrets" });
  await tell("images", "images", { cloudprofilename });
  await tell("machine types, with what is left out said", "machineTypes", { cloudprofilename });
  await tell("regions", "regions", { cloudprofilename });
  await tell("versions: neither the expired one nor the preview is the default", "kubernetesVersions", {
    cloudprofilename,
  });
};

/** Gives name and namespace of the project. */
async function tellProject({ tell }: Transcript, { suffix, stranger, makeNamespace }: ClusterSubject) {
  const project_id = `iaas-${suffix}`;
  const input = {
    project_id,
    purpose: "development",
    description: "of the suite",
    owner: "ann",
    reseller_prefix: "Acme 1",
  };
  const made = (await tell("a project", "createProject", input)) as {
    metadata: { name: string };
    spec: { namespace: string };
  };
  const { name: project_name } = made.metadata;
  const { namespace } = made.spec;
  expect(project_name).toMatch(/^acme[a-z0-9]{6}$/);
  expect(namespace).toBe(`garden-${project_name}`);
  await makeNamespace(namespace);
  await tell("one project per infrastructure project", "createProject", input);
  await tell("the project", "project", { project_name });
  await tell("a project that is not there", "project", { project_name: "nosuch" });
  await tell("a stranger sees no project", "project", { project_name }, stranger);
  await tell("a stranger lists no project", "projects", { project_name }, stranger);
  await tell("projects by name", "projects", { project_name });
  await tell("projects by namespace", "projects", { namespace_filter: namespace });
  await tell(
    "a stranger cannot stand for a foreign project",
    "createProject",
    { ...input, project_id: "foreign" },
    stranger,
  );
  await tell("a change of the project", "changeProject", { project_name, purpose: "production", description: "" });
  return { project_name, namespace };
}

async function tellSecrets({ tell }: Transcript, { suffix, stranger }: ClusterSubject, namespace: string) {
  const secret_name = `sec-${suffix}`;
  const fields = {
    app_credential_id: "ac-1",
    app_credential_name: "robot",
    app_credential_secret: "hush-hush",
    domain_name: "Default",
    project_name: "demo",
  };
  await tell("a namespace of the cluster itself is nobody's", "secrets", { namespace: "kube-system" });
  await tell("a namespace that is not there", "secrets", { namespace: "garden-nosuch" });
  await tell("a stranger reads no secrets", "secrets", { namespace }, stranger);
  await tell("no secrets yet", "secrets", { namespace });
  await tell("a name that a secret cannot have", "createSecret", { namespace, secret_name: "No_Name", ...fields });
  await tell("a secret", "createSecret", { namespace, secret_name, ...fields });
  await tell("the same secret again", "createSecret", { namespace, secret_name, ...fields });
  await tell("secrets", "secrets", { namespace });
  await tell("the secret", "secret", { namespace, secret_name });
  await tell("a secret that is not there", "secret", { namespace, secret_name: "nosuch" });
  await tell("a change of one field", "changeSecret", { namespace, secret_name, project_name: "other" });
  await tell("a change of a secret that is not there", "changeSecret", {
    namespace,
    secret_name: "nosuch",
    project_name: "x",
  });
}

async function tellBindings({ tell }: Transcript, { suffix }: ClusterSubject, namespace: string) {
  const secret_name = `sec-${suffix}`;
  const secretbinding_name = `sb-${suffix}`;
  await tell("a binding of a secret that is not there", "createSecretBinding", {
    namespace,
    secret_name: "nosuch",
    secretbinding_name,
  });
  await tell("a binding", "createSecretBinding", { namespace, secret_name, secretbinding_name });
  await tell("the same binding again", "createSecretBinding", { namespace, secret_name, secretbinding_name });
  await tell("bindings, in the shape of the newer kind", "secretBindings", { namespace });
  await tell("the binding", "secretBinding", { namespace, secret_binding_name: secretbinding_name });
  await tell("a binding that is not there", "secretBinding", { namespace, secret_binding_name: "nosuch" });
  await tell("a bound secret stays", "deleteSecret", { namespace, secret_name });
}

async function tellShoot({ tell }: Transcript, subject: ClusterSubject, namespace: string) {
  const input = shootInput(namespace, subject);
  const name = { namespace, shoot_name: "web" };
  await tell("no clusters yet", "shoots", { namespace });
  await tell("a name too long beside the project's", "createShoot", { ...input, shoot_name: "twelve-chars" });
  await tell("a binding that is not there", "createShoot", { ...input, secret_binding_name: "nosuch" });
  await tell("a cloud profile that is not there", "createShoot", { ...input, cloud_profile_name: "nosuch" });
  await tell("a minimum above the maximum", "createShoot", { ...input, minimum_workers: 3, maximum_workers: 2 });
  await tell("a cluster", "createShoot", input);
  await tell("the same cluster again", "createShoot", input);
  await tell("clusters", "shoots", { namespace });
  await tell("the cluster", "shoot", name);
  await tell("a cluster that is not there", "shoot", { namespace, shoot_name: "nosuch" });
  await tell("a stranger reads no cluster", "shoot", name, subject.stranger);
  await tell("a kubeconfig for less than ten minutes", "adminKubeconfig", { ...name, expiration_seconds: 599 });
  await tell("a kubeconfig of a cluster that is not there", "viewerKubeconfig", { namespace, shoot_name: "nosuch" });
  await tell("all clusters with their projects", "allShoots", {
    kubernetes_project_name: namespace.replace("garden-", ""),
  });
  await tell("no cluster of that name", "allShoots", {
    kubernetes_project_name: namespace.replace("garden-", ""),
    shoot_name: "x",
  });
}

async function tellWorkers({ tell }: Transcript, { stranger }: ClusterSubject, namespace: string) {
  const name = { namespace, shoot_name: "web" };
  const group = {
    image_name: "ubuntu",
    image_version: "22.4.1",
    iaas_flavor: "m1.small",
    minimum_workers: 1,
    maximum_workers: 3,
  };
  await tell("the default worker group", "workerGroups", name);
  await tell("a name that a worker group cannot have", "createWorkerGroup", {
    ...name,
    ...group,
    zones: ["z2"],
    worker_name: "A",
  });
  await tell("a second worker group", "createWorkerGroup", { ...name, ...group, zones: ["z2"], worker_name: "big" });
  await tell("the same worker group again", "createWorkerGroup", {
    ...name,
    ...group,
    zones: ["z2"],
    worker_name: "big",
  });
  await tell(
    "a stranger adds none",
    "createWorkerGroup",
    { ...name, ...group, zones: ["z2"], worker_name: "own" },
    stranger,
  );
  await tell("a change of one group keeps the other", "changeWorkerGroup", {
    ...name,
    worker_group_name: "big",
    maximum_workers: 5,
  });
  await tell("one worker group", "workerGroup", { ...name, worker_group_name: "big" });
  await tell("a group that is not there", "workerGroup", { ...name, worker_group_name: "nosuch" });
  await tell("a change of a group that is not there", "changeWorkerGroup", {
    ...name,
    worker_group_name: "nosuch",
    maximum_workers: 5,
  });
  await tell("a minimum above the present maximum", "changeWorkerGroup", {
    ...name,
    worker_group_name: "big",
    minimum_workers: 6,
  });
  await tell("worker fields of a cluster change its default group", "changeShoot", {
    ...name,
    maximum_workers: 4,
    image_version: "22.4.1",
  });
  await tell("version and purpose of a cluster", "changeShoot", {
    ...name,
    kubernetes_version: "1.28.1",
    purpose: "production",
  });
  await tell("the default group can go", "deleteWorkerGroup", { ...name, worker_group_name: "default" });
  await tell("without it worker fields are refused, with the rest", "changeShoot", {
    ...name,
    maximum_workers: 9,
    purpose: "testing",
  });
  await tell("and nothing was changed", "shoot", name);
  await tell("the last group stays", "deleteWorkerGroup", { ...name, worker_group_name: "big" });
  await tell("a group that is gone", "deleteWorkerGroup", { ...name, worker_group_name: "default" });
}

async function tellEnd(
  { tell }: Transcript,
  { stranger }: ClusterSubject,
  at: { project_name: string; namespace: string },
) {
  const { project_name, namespace } = at;
  await tell("a project with clusters stays", "deleteProject", { project_name, force: true });
  await tell("a stranger deletes no cluster", "deleteShoot", { namespace, shoot_name: "web" }, stranger);
  await tell("the cluster goes", "deleteShoot", { namespace, shoot_name: "web" });
  await tell("it is gone", "shoot", { namespace, shoot_name: "web" });
  await tell("deleting it again", "deleteShoot", { namespace, shoot_name: "web" });
  await tell("a deletion that nobody confirmed", "deleteProject", { project_name });
  await tell("a confirmation", "changeProject", { project_name, prepare_delete: true });
  await tell("and its withdrawal", "changeProject", { project_name, prepare_delete: false });
  await tell("is unconfirmed again", "deleteProject", { project_name });
  await tell("confirmed again", "changeProject", { project_name, prepare_delete: true });
  await tell("the project goes", "deleteProject", { project_name });
  await tell("and is gone", "project", { project_name });
}

/** Tells the whole story to a back end. What is the same for every back end is in the transcript; what is not has been left out. */
export async function tellClusters(subject: ClusterSubject) {
  let project_name = "no-project-yet";
  const normalise = (answer: unknown) =>
    mapTexts(keepOfStatus(answer), (text) =>
      text.replaceAll(project_name, "<project>").replaceAll(subject.suffix, "<suffix>"),
    );
  const transcript = openTranscript({ rows: clusters, backend: subject.backend, call: subject.provider, normalise });
  await tellProfiles(transcript, subject);
  const at = await tellProject(transcript, subject);
  project_name = at.project_name;
  await tellSecrets(transcript, subject, at.namespace);
  await tellBindings(transcript, subject, at.namespace);
  await tellShoot(transcript, subject, at.namespace);
  await tellWorkers(transcript, subject, at.namespace);
  await tellEnd(transcript, subject, at);
  return transcript.lines.map((line) => mapTexts(line, (text) => text.replaceAll(at.project_name, "<project>")));
}
