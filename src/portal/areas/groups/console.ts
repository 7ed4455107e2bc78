import { propertiesArea } from "../properties.ts";
import { themesArea } from "../themes.ts";

/** The areas about what the console shows; an area is a line here. */
export function consoleBackends() {
  return {
    properties: propertiesArea(),
    themes: themesArea(),
  };
}
