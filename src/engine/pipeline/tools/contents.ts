import { GatewayError, toGatewayError } from "../../errors.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import { contentEntryFor } from "../../policy/tools/content-entry.ts";
import type { ServerContents, ToolServer } from "../../ports/tools/tool-server.ts";
import { accessOf, accessOfId } from "../call/authenticate.ts";
import type { Ports } from "../runtime/ports.ts";
import { type ToolListOptions, tokenOf } from "./list-tools.ts";
import { publicNames, serverOf } from "./tool-names.ts";
import { withinListing } from "./within-listing.ts";

/** What a caller may read: addresses are `mcp://server/…`, names of prompts `server__prompt`. A server that fails is left out. */
export type ContentListing = ServerContents;

/** What a server answers, in the protocol's own shape. */
type ReadContent = Readonly<Record<string, unknown>>;

/** A server whose contents a caller may read in part. */
interface ReadableServer {
  readonly name: string;
  readonly server: ToolServer;
  readonly access: KeyPermissions | undefined;
}

/** Lists what a caller may read. */
export async function listContents(ports: Ports, options: ToolListOptions): Promise<ContentListing> {
  const access = await accessOfCaller(ports, options);
  const servers = [...ports.tools].map(([name, server]) => ({ name, server, access }));
  const listings = await Promise.all(servers.map((each) => contentsOf(ports, each, options)));
  return {
    resources: listings.flatMap(({ resources }) => resources),
    templates: listings.flatMap(({ templates }) => templates),
    prompts: listings.flatMap(({ prompts }) => prompts),
  };
}

const nothing: ContentListing = { resources: [], templates: [], prompts: [] };

async function contentsOf(
  ports: Ports,
  { name, server, access }: ReadableServer,
  options: ToolListOptions,
): Promise<ContentListing> {
  const entry = access && contentEntryFor(access, name);
  if (!server.listContents || (access && !entry)) return nothing;
  try {
    const found = await withinListing(
      readerOf(ports, name, options),
      (call) => server.listContents?.(call) ?? Promise.resolve(nothing),
    );
    const names = new Map([...promptNames(name, found)].map(([shown, own]) => [own, shown]));
    const mayRead = (uri: string) => !entry || entry.mayReadResource(name, uri);
    return {
      resources: found.resources
        .filter(({ uri }) => mayRead(uri))
        .map((each) => ({ ...each, uri: addressOf(name, each.uri) })),
      templates: found.templates
        .filter(({ uriTemplate }) => mayRead(uriTemplate))
        .map((each) => ({ ...each, uriTemplate: addressOf(name, each.uriTemplate) })),
      prompts: found.prompts.flatMap((each) => {
        const shown = names.get(each.name);
        return shown === undefined || (entry && !entry.mayReadPrompt(name, each.name))
          ? []
          : [{ ...each, name: shown }];
      }),
    };
  } catch {
    return nothing; // its tools' list says why
  }
}

/** Reads a resource by the address that the list shows, or one that a template makes. Throws `not_found` for one that may not be read. */
export async function readResource(ports: Ports, uri: string, options: ToolListOptions): Promise<ReadContent> {
  const access = await accessOfCaller(ports, options);
  const [, name = "", own = ""] = /^mcp:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  const server = ports.tools.get(name);
  const mayRead = !access || contentEntryFor(access, name)?.mayReadResource(name, own) === true;
  if (!server?.readResource || !mayRead) throw unknown("resource", uri);
  const answer = await withinListing(readerOf(ports, name, options), (call) => ask(server.readResource?.(own, call)));
  return withAddresses(answer, name);
}

/** A prompt by the name that the list shows, and the values of its arguments. */
export interface PromptQuestion {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Reads a prompt. Throws `not_found` for one that may not be read. */
export async function readPrompt(ports: Ports, prompt: PromptQuestion, options: ToolListOptions): Promise<ReadContent> {
  const access = await accessOfCaller(ports, options);
  const name = serverOf(prompt.name);
  const server = ports.tools.get(name);
  const entry = access && contentEntryFor(access, name);
  if (!server?.listContents || !server.readPrompt || (access && !entry)) throw unknown("prompt", prompt.name);
  const reader = readerOf(ports, name, options);
  const found = await withinListing(reader, (call) => ask(server.listContents?.(call)));
  const own = promptNames(name, found as unknown as ServerContents).get(prompt.name);
  if (own === undefined || (entry && !entry.mayReadPrompt(name, own))) throw unknown("prompt", prompt.name);
  return withinListing(reader, (call) => ask(server.readPrompt?.({ name: own, arguments: prompt.arguments }, call)));
}

function ask<Value>(answer: Promise<Value> | undefined): Promise<Value> {
  return answer ?? Promise.reject(toGatewayError(new TypeError("The server cannot be asked.")));
}

function readerOf(ports: Ports, server: string, { signal, toolTokens }: ToolListOptions) {
  return { ports, signal, userToken: tokenOf(ports, toolTokens, server) };
}

function accessOfCaller(ports: Ports, { key, keyId }: ToolListOptions): Promise<KeyPermissions | undefined> {
  return keyId === undefined ? accessOf(ports, key) : accessOfId(ports, keyId);
}

function promptNames(server: string, { prompts }: ServerContents): ReadonlyMap<string, string> {
  return publicNames(
    server,
    prompts.map(({ name }) => name),
  );
}

function addressOf(server: string, uri: string): string {
  return `mcp://${server}/${uri}`;
}

/** What was read names itself by the address that it was asked for. */
function withAddresses(answer: ReadContent, server: string): ReadContent {
  if (!Array.isArray(answer.contents)) return answer;
  const contents = answer.contents.map((each: { uri?: unknown }) =>
    typeof each.uri === "string" ? { ...each, uri: addressOf(server, each.uri) } : each,
  );
  return { ...answer, contents };
}

function unknown(kind: "resource" | "prompt", name: string): GatewayError {
  const message = `There is no ${kind} \`${name.slice(0, 200)}\` that may be read: the list shows those of this key.`;
  return new GatewayError("not_found", message, { param: kind === "resource" ? "uri" : "name" });
}
