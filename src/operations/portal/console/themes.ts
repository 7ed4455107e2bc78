import { z } from "zod";
import { op } from "../../define.ts";
import { flag, id, title } from "../fields.ts";

/** How the console looks; `inherited` when it comes from a level above. */
export const Theme = z.object({
  name: z.string(),
  colors: z.record(z.string(), z.string()),
  logo: z.string().optional(),
  favicon: z.string().optional(),
  inherited: flag,
});
export type Theme = z.output<typeof Theme>;

/** A PNG of 64 KiB at most, as `data:image/png;base64,…`. */
const picture = z
  .string()
  .max(90_000)
  .regex(/^data:image\/png;base64,/, "must be a PNG as `data:image/png;base64,…`");
const color = z.string().regex(/^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, "must be a colour like `#1f5fa8`");

/** How the console looks. */
export const themes = {
  get: op("GET /theme", "theme-get", "Read the theme", {
    in: { client_id: id.optional(), reseller_id: id.optional() },
    out: Theme,
    rules: ["`reseller_id` is required with `client_id`."],
  }),
  set: op(
    "PUT /theme",
    "theme-put",
    "Change the theme of the own level; `null` removes a value, and the inherited one counts",
    {
      in: {
        name: title.nullable().optional(),
        /** `#rgb` or `#rrggbb`, by name. */
        colors: z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,30}$/), color.nullable()).optional(),
        logo: picture.nullable().optional(),
        favicon: picture.nullable().optional(),
      },
      out: Theme,
      isExtension: true,
    },
  ),
};
