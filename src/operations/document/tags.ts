import type { Operation } from "../define.ts";

/** A group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The groups of the inference API, by the beginning of a path; the first that fits wins. The portal's are its areas. */
const inferenceTags: readonly (readonly [beginning: string, name: string, description: string])[] = [
  ["/openai/", "openai", "The interface of OpenAI, for its own clients"],
  ["/anthropic/", "anthropic", "The interface of Anthropic, for its own clients"],
  ["/genai/", "genai", "The Gemini API, for its own clients"],
  ["/cohere/", "cohere", "The interface of Cohere, for its own clients"],
  ["/systemone/", "systemone", "The interface of System One, for its own clients"],
  ["/v1/systemone", "systemone", "The interface of System One, for its own clients"],
  ["/mcp", "mcp", "The Model Context Protocol: verbs and tools for agents"],
  ["/v1/responses", "responses", "OpenAI's Responses, stored and in the background"],
  ["/v1/models", "models", "The models that a key may use"],
  ["/v1/cache", "cache", "Cached answers"],
  ["/v1/", "inference", "Chat, embeddings, reranking and decisions"],
  ["/", "gateway", "State and description of the gateway"],
];

/** The portal's areas. */
const areaTexts: Readonly<Record<string, string>> = {
  ai: "Virtual keys, projects, customers, usage, prices and requests of the AI gateway",
  alerts: "Alert rules, channels and alerts",
  backups: "Backups, backup policies and protected resources",
  clusters: "Kubernetes clusters and their worker groups",
  context: "What the caller's console shows",
  dashboards: "Dashboards of the console",
  i18n: "Texts of the console by language",
  iaas: "Virtual machines, volumes, networks and images",
  keypair: "SSH key pairs",
  me: "The caller's own account",
  notifications: "Notifications of the caller",
  objectstore: "Buckets, objects and users of the object store",
  profiles: "Profiles: named sets of permissions",
  properties: "Settings of the portal",
  quotas: "Quotas of tenants and projects",
  sessions: "Logins with a user name and a password",
  tasks: "Lists of portal calls that run in order",
  tenants: "Resellers and clients",
  themes: "Colours and logos of the console",
  users: "Users and their access tokens",
};

/** The tag of an operation. */
export function tagOf(name: string, { path, access }: Operation): string {
  const [area = "", row] = name.split(".");
  if (row !== undefined) return area;
  if (access !== "virtual_key" && access !== "open") return "sessions";
  return inferenceTags.find(([beginning]) => path.startsWith(beginning))?.[1] ?? "gateway";
}

/** The tags of a document, in the order in which its operations come. */
export function tagsOf(rows: readonly (readonly [string, Operation])[]): Tag[] {
  const names = new Set(rows.map(([name, row]) => tagOf(name, row)));
  return [...names].map((name) => ({ name, description: describeTag(name) }));
}

function describeTag(name: string): string {
  return areaTexts[name] ?? inferenceTags.find(([, tag]) => tag === name)?.[2] ?? name;
}

/** What a caller must know of an operation beyond its summary: the credential, pages of a list, and what is shown once. */
export function describeOperation(row: Operation): string {
  const { access, summary, isList, isTable, isQuery, once, stream, isExtension, method, rules } = row;
  const credential =
    access === "open"
      ? "No credential is required."
      : access === "virtual_key"
        ? "A virtual key may be required, in one of its headers."
        : `The access token needs the permission \`${access}\`, in the region that the header \`region\` names.`;
  return [
    `${summary}.`,
    credential,
    ...rules,
    isList ? "The list has pages: `limit` bounds one, `after` takes `x-tg-next` of the page before." : undefined,
    isTable ? "With `accept: text/csv` the answer is a table." : undefined,
    stream ? "The answer can come as a stream of events." : undefined,
    isQuery && method !== "GET" ? "Nothing is changed." : undefined,
    once.length > 0 ? `Shown this once: ${once.map((field) => `\`${field}\``).join(", ")}.` : undefined,
    isExtension ? "An addition to the specification." : undefined,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(" ");
}
