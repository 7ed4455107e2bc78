import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A group of machines, as the object of a cluster has it. */
export interface WorkerSpec {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly zones?: readonly string[];
  readonly machine?: {
    readonly type?: string;
    readonly image?: { readonly name?: string; readonly version?: string };
  };
}

/** Something that the cluster API says is so, or not so. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** What the cluster API is doing, or did last. */
interface LastOperation {
  readonly type?: string;
  readonly state?: string;
  readonly progress?: number;
  readonly description?: string;
  readonly lastUpdateTime?: string;
}

/** The object of a cluster, as far as it is read here. */
export interface ShootObject {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly creationTimestamp?: string };
  readonly spec?: {
    readonly cloudProfileName?: string;
    readonly region?: string;
    readonly purpose?: string;
    readonly kubernetes?: { readonly version?: string };
    readonly networking?: { readonly type?: string };
    readonly provider?: { readonly workers?: readonly WorkerSpec[] };
  };
  readonly status?: {
    readonly lastOperation?: LastOperation;
    readonly conditions?: readonly Condition[];
    readonly lastErrors?: readonly { readonly description?: string }[];
    readonly hibernated?: boolean;
  };
}

/** The object of a cluster project. */
interface ProjectObject {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly namespace?: string };
  readonly shoots?: readonly ShootObject[];
}

/** A cluster with the project that it belongs to. */
export interface Cluster {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly object: ShootObject;
}

/** Returns the clusters of all projects by their names. */
export function clustersOf(answer: AnswerOf<Areas["clusters"]["allShoots"]>): readonly Cluster[] {
  const found = answer.flatMap(({ kubernetes_cluster_project, iaas_project_name }) => {
    const project = kubernetes_cluster_project as unknown as ProjectObject; // seam: the cluster API's objects have no schema
    const named = iaas_project_name ?? project.metadata.name;
    return (project.shoots ?? []).map((object) => ({
      name: object.metadata.name,
      namespace: object.metadata.namespace ?? project.spec?.namespace ?? "",
      project: named,
      object,
    }));
  });
  return found.sort((one, other) => one.name.localeCompare(other.name) || one.project.localeCompare(other.project));
}

/** How a cluster is doing. */
export type Health = "good" | "working" | "bad" | "asleep" | "unknown";

/** Returns how a cluster is doing: by what is done with it, then by its conditions. */
export function healthOf({ status }: ShootObject): Health {
  const { lastOperation, conditions = [], hibernated } = status ?? {};
  const state = lastOperation?.state;
  if (state === "Failed" || state === "Error" || state === "Aborted") return "bad";
  if (state === "Processing" || state === "Pending") return "working";
  if (conditions.some((one) => one.status === "False")) return "bad";
  if (hibernated) return "asleep";
  return state === "Succeeded" ? "good" : "unknown";
}

/** True for a cluster whose machines were given back. */
export function isHibernated({ object }: Pick<Cluster, "object">): boolean {
  return object.status?.hibernated === true;
}

/** A version that a cloud profile offers. */
export interface OfferedVersion {
  readonly version: string;
  readonly classification?: string;
  readonly expirationDate?: string;
}

const numbersOf = (version: string): readonly number[] => version.split(/[.-]/, 3).map((part) => Number(part) || 0);

/** Compares two versions number by number: below zero where the first is older. */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [numbersOf(one), numbersOf(other)];
  const at = [0, 1, 2].find((position) => (numbers[position] ?? 0) !== (others[position] ?? 0));
  return at === undefined ? 0 : (numbers[at] ?? 0) - (others[at] ?? 0);
}

/** True for a version that can be chosen now. */
export function isOffered({ classification, expirationDate }: OfferedVersion, now: number): boolean {
  const isOver = expirationDate !== undefined && Date.parse(expirationDate) <= now;
  return classification !== "expired" && classification !== "deprecated" && !isOver;
}

/** Returns the versions that a cluster can go to, the newest first: newer ones of its minor version, or of the next. There is no way back. */
export function upgradesOf(current: string, offered: readonly OfferedVersion[]): readonly OfferedVersion[] {
  const [major = 0, minor = 0] = numbersOf(current);
  return offered
    .filter(({ version, classification }) => {
      const [toMajor, toMinor = 0] = numbersOf(version);
      return (
        classification !== "expired" &&
        compareVersions(version, current) > 0 &&
        toMajor === major &&
        toMinor <= minor + 1
      );
    })
    .sort((one, other) => compareVersions(other.version, one.version));
}

/** The name of a cluster and that of its project may have so many characters together. */
const jointLimit = 21;

/** Returns how many characters the name of a cluster may have in a project. */
export function roomForName(project: string): number {
  return Math.max(0, jointLimit - project.length);
}

/** True for a name of a cluster: small letters, digits and single hyphens, a letter first. */
export function isClusterName(name: string, project: string): boolean {
  return /^[a-z](?:[a-z0-9]|-(?=[a-z0-9]))*$/.test(name) && name.length <= roomForName(project);
}

/** Returns the project whose namespace that is. */
export function projectOf(namespace: string): string {
  return namespace.replace(/^garden-/, "");
}
