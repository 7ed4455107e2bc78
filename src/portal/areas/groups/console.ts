import { propertiesArea } from "../properties.ts";

/** The areas about what the console shows; an area is a line here. */
export function consoleBackends() {
  return {
    properties: propertiesArea(),
  };
}
