import { GatewayError } from "../../../../src/engine/errors.ts";
import { rowOf, type ServiceName } from "./apis.ts";
import type { OpenStackOptions } from "./options.ts";
import type { CloudSession } from "./sessions.ts";

/** Where addresses come from. */
interface Sources {
  readonly options: OpenStackOptions;
  readonly session: CloudSession;
  readonly authUrl: string;
}

/** The address of a service with its version, without a trailing slash; nothing when the cloud has no such service in our region. */
export function addressOf(service: ServiceName, { options, session, authUrl }: Sources): string | undefined {
  const override = options.endpoints?.[service];
  if (override !== undefined) return override.replaceAll("{project_id}", session.project?.id ?? "").replace(/\/+$/, "");
  if (service === "identity") return authUrl;
  const { types, version } = rowOf(service);
  const listed = types.map((type) => findInCatalog(type, session, options)).find((address) => address !== undefined);
  return listed === undefined ? undefined : withVersion(listed.replace(/\/+$/, ""), version);
}

function findInCatalog(type: string, { catalog }: CloudSession, options: OpenStackOptions): string | undefined {
  const filters = options.interface ?? "public";
  const inRegion = (name: string | null | undefined) => options.region === undefined || name === options.region;
  return catalog
    .filter((entry) => entry.type === type)
    .flatMap(({ endpoints }) => endpoints)
    .find((endpoint) => endpoint.interface === filters && inRegion(endpoint.region_id ?? endpoint.region))?.url;
}

/** Adds the version unless the catalogue has it, or its beginning, already: `…:9696`, `…/networking/v2.0`, `…/load-balancer/v2.0`. */
function withVersion(address: string, version: string): string {
  const [, first = "", ...rest] = version.split("/");
  if (first === "" || !address.endsWith(`/${first}`)) return address + version;
  return [address, ...rest].join("/");
}

/** One segment of a path; an id that would change the path cannot be one that a service knows. */
export function encodeSegment(segment: string): string {
  if (segment === "" || segment === "." || segment === "..") {
    throw new GatewayError("not_found", `There is nothing with the id \`${segment}\`.`);
  }
  return encodeURIComponent(segment);
}

/** The header that asks a service for its microversion, where it has them. */
export function microversionOf(
  service: ServiceName,
  { microversions }: OpenStackOptions,
): Readonly<Record<string, string>> {
  const { microversion } = rowOf(service);
  if (microversion === undefined) return {};
  const { name, value } = microversion;
  return { "openstack-api-version": `${name} ${microversions?.[name] ?? value}` };
}

/** The error of a service that the cloud does not have. */
export function missingError(service: ServiceName, region: string | undefined): GatewayError {
  const where = region === undefined ? "This cloud" : `The region ${region} of this cloud`;
  return new GatewayError("not_implemented", `${where} has no ${rowOf(service).title}.`);
}
