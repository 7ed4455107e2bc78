import type { ElementId } from "../dashboard-catalogue/row.ts";
import { fieldsOfAnswer, pathOf, permissionOf, schemaOf, toElement } from "./elements.ts";
import type { Dashboard } from "./shown.ts";

/**
 * Returns a dashboard for rendering: the elements that the caller may call, with the source of each parameter, the input and the output.
 * What it is chosen from, on this dashboard or another, comes with the path to ask.
 */
export function defineDashboard(
  [path, { elements, picks = {}, choices = {} }]: Dashboard,
  permissions: ReadonlySet<string>,
) {
  const isAllowed = (id: ElementId) => permissions.has(permissionOf(id));
  const allowed = elements.filter(isAllowed);
  const sources = new Map(
    Object.entries({ ...picks, ...choices }).flatMap(([name, from]) => {
      const source = readPick(from);
      return isAllowed(source.element) ? [[name, source] as const] : [];
    }),
  );
  const findSource = (name: string) => sources.get(name);
  const created = allowed.map((id) => toElement(id, { findSource, elements: allowed }));
  const params = new Set(created.flatMap(({ path_params }) => path_params));
  return {
    title_key: `dashboard.${path}`,
    elements: created,
    path_params: Object.fromEntries(
      Object.entries(picks)
        .filter(([name]) => params.has(name))
        .map(([name, from]) => {
          const { element, path, value, label } = readPick(from);
          return [name, { type: "string", element, field: value, path, label }];
        }),
    ),
    schema: Object.fromEntries(allowed.map((id) => [id, schemaOf(id)])),
  };
}

/**
 * Reads the element and field that values are chosen from: `ai.keys#id`, or `iaas.volumes#volumes.id` for the rows of a list within an
 * object. A row is called by its name where it has one.
 */
function readPick(from: string) {
  const [element, value = ""] = from.split("#");
  const id = element as ElementId; // the type of a row's picks says so
  return { element: id, path: pathOf(id), value, label: labelOf(id, value) };
}

function labelOf(id: ElementId, value: string): string {
  const [first = "", ...rest] = value.split(".");
  const fields = new Map(fieldsOfAnswer(id).map(({ name, type }) => [name, type]));
  if (rest.length > 0 && fields.get(first) === "array") return `${first}.name`;
  if (rest.length > 0) return "metadata.name"; // an object of Kubernetes
  return ["name", "username", "title", "resource_name"].find((name) => fields.has(name)) ?? value;
}
