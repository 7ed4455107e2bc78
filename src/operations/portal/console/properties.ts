import { z } from "zod";
import { op } from "../../define.ts";
import { flag, note, text } from "../fields.ts";

/** A setting; `inherited` when it comes from a level above. */
export const Property = z.object({
  description: z.string(),
  inherited: flag,
  property: z.string(),
  value: z.string(),
});
export type Property = z.output<typeof Property>;

/** Settings, inherited provider → reseller → client. */
export const properties = {
  list: op("GET /property", "property-get", "List properties", { out: z.array(Property) }),
  set: op("POST /property", "property-post", "Create or change a property", {
    in: { description: note, property: text, value: z.string().max(20_000) },
  }),
};
