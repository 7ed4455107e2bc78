import { z } from "zod";
import { op } from "../../define.ts";
import { flag, id } from "../fields.ts";

/** How the console looks; `inherited` when it comes from a level above. */
export const Theme = z.object({
  name: z.string(),
  colors: z.record(z.string(), z.string()),
  logo: z.string().optional(),
  favicon: z.string().optional(),
  inherited: flag,
});
export type Theme = z.output<typeof Theme>;

/** How the console looks. */
export const themes = {
  get: op("GET /theme", "theme-get", "Read the theme", {
    in: { client_id: id.optional(), reseller_id: id.optional() },
    out: Theme,
  }),
};
