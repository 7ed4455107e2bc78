import { automationTexts } from "./automation/en.ts";
import { catalogueTexts } from "./catalogue/en.ts";
import { cloudTexts } from "./cloud/en.ts";
import { settingTexts } from "./settings/en.ts";
import { tenancyTexts } from "./tenancy/en.ts";

/** The English words of screens that few open: the console loads them with the first of those. */
export const lateTexts = {
  ...tenancyTexts,
  ...catalogueTexts,
  ...cloudTexts,
  ...automationTexts,
  ...settingTexts,
} as const;
