import { iaas } from "../../../src/operations/portal/infrastructure/iaas.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { mapTexts, openTranscript, type Transcript } from "../../adapters/contract/transcript.ts";
import { type Furniture, keepOfInventory, tellInventory, tellQuotas } from "./iaas-inventory.ts";

/** A back end of infrastructure under test, and who calls it. Its quota profile `suite` is {@link suiteLimits}. */
export interface IaasSubject {
  readonly backend: AreaBackend<"iaas">;
  /** Unlike in every run: part of every name that a cloud keeps. */
  readonly suffix: string;
  /** A call at the provider's level, at the place of `client-<suffix>` of `reseller-<suffix>`, of the latter, and of another client. */
  readonly provider: PortalCall;
  readonly owner: PortalCall;
  readonly reseller: PortalCall;
  readonly stranger: PortalCall;
}

type Story = (transcript: Transcript, subject: IaasSubject) => Promise<void>;

/** Ids that a run gave, by the name under which the transcript shows them. */
type Ids = Map<string, string>;

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Takes out what differs from run to run: ids, instants, addresses; lists of the provider keep what the suite made. */
function iaasNormaliser(suffix: string, ids: Ids): (answer: unknown) => unknown {
  const change = (text: string) => {
    let changed = text;
    for (const [name, id] of ids) changed = changed.replaceAll(id, `<${name}>`);
    return changed
      .replaceAll(suffix, "<suffix>")
      .replaceAll(instant, "<instant>")
      .replaceAll(/\b[0-9a-f]{64}\b/g, "<sha256>")
      .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
      .replaceAll(/\b[0-9a-f]{32}\b/g, "<id>");
  };
  return (answer) => keepOwn(mapTexts(withoutLinks(answer), change));
}

/** Where a thing is served differs between clouds. */
function withoutLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLinks);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name !== "links");
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutLinks(field)]));
}

/** Of a list what the suite has made: real clouds hold more. All is made at the same instant, so that ids would order it. */
function keepOwn(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  const texts = answer.map((entry) => JSON.stringify(entry)).filter((entry) => /<(suffix|project)>/.test(entry));
  return texts.toSorted().map((entry) => JSON.parse(entry));
}

/** The id in an answer; without it the story goes on, and its transcript says where it went wrong. */
function idIn(answer: unknown, name: string): string {
  const made = (answer as Readonly<Record<string, { readonly id?: string } | undefined>> | undefined)?.[name];
  return made?.id ?? `no-${name}`;
}

const tellDomains: Story = async ({ tell }, { suffix, owner }) => {
  const name = `domain-${suffix}`;
  await tell("a domain", "createDomain", { name });
  await tell("the same name again", "createDomain", { name });
  await tell("domains have no tenant, so that a client makes none", "createDomain", { name: `own-${suffix}` }, owner);
  await tell("domains", "domains");
  await tell("a client sees no domain without a project of its own", "domains", {}, owner);
  await tell("a domain that is not there", "projects", { domain: `nosuch-${suffix}` });
};

const tellProject = async ({ tell }: Transcript, subject: IaasSubject, ids: Ids): Promise<string> => {
  const { suffix, owner, reseller, stranger } = subject;
  const input = { name: `project-${suffix}`, quota_profile: "suite", description: "of the suite" };
  await tell("a quota profile that is not there", "createProject", { ...input, quota_profile: "nosuch" }, owner);
  await tell("no project for a client above", "createProject", { ...input, reseller: "another" }, owner);
  const made = await tell("a project", "createProject", input, owner);
  const project_id = idIn(made, "project");
  ids.set("project", project_id);
  await tell("the same name again", "createProject", input, owner);
  await tell("its client sees it", "projects", {}, owner);
  await tell("so does its reseller", "projects", {}, reseller);
  await tell("and the provider, by the domain's name", "projects", { domain: "Default" });
  await tell("in another domain it is not", "projects", { domain: `domain-${suffix}` }, owner);
  await tell("another client sees none", "projects", {}, stranger);
  await tell("its client sees its domain", "domains", {}, owner);
  await tell("another client cannot disable it", "disableProject", { project_id }, stranger);
  await tell("disabled", "disableProject", { project_id }, owner);
  await tell("it says so", "projects", {}, owner);
  await tell("enabled", "enableProject", { project_id }, owner);
  await tell("a project that is not there", "enableProject", { project_id: `nosuch-${suffix}` });
  return project_id;
};

const tellCredentials = async ({ tell }: Transcript, subject: IaasSubject, project_id: string) => {
  const { suffix, owner, stranger } = subject;
  const keys = { access_key: `AK${suffix}`, secret_key: "hush-hush" };
  const input = { project_id, ...keys, roles: ["member"], description: "of the suite", user_bound: false };
  await tell("no credentials yet", "credentials", { project_id }, owner);
  await tell("a credential without a role", "createCredential", { ...input, roles: [] }, owner);
  await tell("a role that opens the whole cloud", "createCredential", { ...input, roles: ["admin"] }, owner);
  await tell("another client makes none", "createCredential", input, stranger);
  const made = await tell("a credential of the project", "createCredential", input, owner);
  await tell("the same access key again", "createCredential", { ...input, user_bound: true }, owner);
  const bound = { ...input, access_key: `BK${suffix}`, user_bound: true, roles: ["member", "reader"] };
  await tell("a credential of its maker", "createCredential", bound, owner);
  await tell("credentials, without their secrets", "credentials", { project_id }, owner);
  const reader = { ...owner, caller: { ...owner.caller, permissions: new Set(["keypair-get"]) } };
  await tell("with them for who may read key pairs", "credentials", { project_id }, reader);
  await tell("another client reads none", "credentials", { project_id }, stranger);
  const other = idIn(
    await tell("a second project", "createProject", { name: `other-${suffix}`, quota_profile: "default" }),
    "project",
  );
  await tell("credentials of other projects are not listed", "credentials", { project_id: other });
  const named = { credential_id: idIn(made, "credential") };
  await tell("a credential of another project stays", "deleteCredential", { ...named, project_id: other });
  await tell("it goes", "deleteCredential", { ...named, project_id }, owner);
  await tell("it is gone", "deleteCredential", { ...named, project_id }, owner);
  await tell("the other one is left", "credentials", { project_id }, owner);
  await tell("those of a disabled project are not active", "disableProject", { project_id }, owner);
  await tell("as it says", "credentials", { project_id }, owner);
  await tell("enabled again", "enableProject", { project_id }, owner);
  await tell("the second project goes", "deleteProject", { project_id: other });
};

const tellDeletion = async ({ tell }: Transcript, { owner, stranger }: IaasSubject, project_id: string) => {
  await tell("another client deletes nothing", "deleteProject", { project_id }, stranger);
  await tell("the project goes", "deleteProject", { project_id }, owner);
  await tell("it is gone", "projects", {}, owner);
  await tell("deleting it again", "deleteProject", { project_id }, owner);
};

/** What Keystone alone serves: domains, projects, credentials. */
export async function tellIdentity(subject: IaasSubject): Promise<unknown[]> {
  const { transcript, ids, read } = openStory(subject);
  await tellDomains(transcript, subject);
  const project_id = await tellProject(transcript, subject, ids);
  await tellCredentials(transcript, subject, project_id);
  await tellDeletion(transcript, subject, project_id);
  return read();
}

/** What the other services serve: quotas, and the inventory of a project that {@link Furniture} fills and empties. */
export async function tellInfrastructure(subject: IaasSubject, furniture: Furniture): Promise<unknown[]> {
  const { transcript, ids, read } = openStory(subject);
  const input = { name: `project-${subject.suffix}`, quota_profile: "suite" };
  const project_id = idIn(await transcript.tell("a project", "createProject", input, subject.owner), "project");
  ids.set("project", project_id);
  await tellQuotas(transcript, { subject, project_id });
  await tellInventory(transcript, { subject, furniture, project_id });
  await tellDeletion(transcript, subject, project_id);
  return read();
}

function openStory({ suffix, backend, provider }: IaasSubject) {
  const ids: Ids = new Map();
  const normalise = iaasNormaliser(suffix, ids);
  const transcript = openTranscript({ rows: iaas, backend, call: provider, normalise });
  const read = () =>
    transcript.lines.map((line) => {
      const { operation, answer } = line;
      return normalise({ ...line, answer: line.status === 200 ? keepOfInventory(operation, answer) : answer });
    });
  return { transcript, ids, read };
}
