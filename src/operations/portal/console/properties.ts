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

/** A property that the gateway reads, with what it takes and what counts where no level has set it. */
export const PropertyType = z.object({
  property: z.string(),
  /** `picture`: a PNG as `data:image/png;base64,…`. */
  type: z.enum(["text", "choice", "color", "picture"]),
  default: z.string().optional(),
  allowed: z.array(z.string()).optional(),
});
export type PropertyType = z.output<typeof PropertyType>;

/** Settings, inherited provider → reseller → client. */
export const properties = {
  list: op("GET /property", "property-get", "List properties", { out: z.array(Property) }),
  set: op("POST /property", "property-post", "Create or change a property", {
    in: { description: note, property: text, value: z.string().max(20_000) },
  }),
  remove: op(
    "DELETE /property",
    "property-delete",
    "Remove a property of the own level; an inherited one counts again",
    {
      in: { property: text },
      isExtension: true,
    },
  ),
  catalogue: op("GET /property/catalog", "property_catalog-get", "List the properties that the gateway reads", {
    out: z.array(PropertyType),
    isExtension: true,
  }),
};
