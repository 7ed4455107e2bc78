import { expect } from "vitest";
import type { Transcript } from "../../adapters/contract/transcript.ts";
import type { ClusterSubject } from "./clusters-subject.ts";

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

export const tellProfiles: Story = async ({ tell }, { profile: cloudprofilename }) => {
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
export async function tellProject({ tell }: Transcript, { suffix, stranger, makeNamespace }: ClusterSubject) {
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

export async function tellSecrets({ tell }: Transcript, { suffix, stranger }: ClusterSubject, namespace: string) {
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

export async function tellBindings({ tell }: Transcript, { suffix }: ClusterSubject, namespace: string) {
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

export async function tellShoot({ tell }: Transcript, subject: ClusterSubject, namespace: string) {
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

export async function tellWorkers({ tell }: Transcript, { stranger }: ClusterSubject, namespace: string) {
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
  await tell("a cluster hibernates", "hibernateShoot", name);
  await tell("one that hibernates stays as it is", "hibernateShoot", name);
  await tell("a stranger wakes up none", "wakeShoot", name, stranger);
  await tell("it wakes up", "wakeShoot", name);
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

export async function tellEnd(
  { tell }: Transcript,
  { stranger, suffix }: ClusterSubject,
  at: { project_name: string; namespace: string },
) {
  const { project_name, namespace } = at;
  const binding = { namespace, secret_binding_name: `sb-${suffix}` };
  await tell("a binding that a cluster uses stays", "deleteSecretBinding", binding);
  await tell("a stranger deletes no binding", "deleteSecretBinding", binding, stranger);
  await tell("a project with clusters stays", "deleteProject", { project_name, force: true });
  await tell("a stranger deletes no cluster", "deleteShoot", { namespace, shoot_name: "web" }, stranger);
  await tell("the cluster goes", "deleteShoot", { namespace, shoot_name: "web" });
  await tell("it is gone", "shoot", { namespace, shoot_name: "web" });
  await tell("deleting it again", "deleteShoot", { namespace, shoot_name: "web" });
  await tell("the binding goes", "deleteSecretBinding", binding);
  await tell("deleting the binding again", "deleteSecretBinding", binding);
  await tell("then the secret goes", "deleteSecret", { namespace, secret_name: `sec-${suffix}` });
  await tell("a deletion that nobody confirmed", "deleteProject", { project_name });
  await tell("a confirmation", "changeProject", { project_name, prepare_delete: true });
  await tell("and its withdrawal", "changeProject", { project_name, prepare_delete: false });
  await tell("is unconfirmed again", "deleteProject", { project_name });
  await tell("confirmed again", "changeProject", { project_name, prepare_delete: true });
  await tell("the project goes", "deleteProject", { project_name });
  await tell("and is gone", "project", { project_name });
}
