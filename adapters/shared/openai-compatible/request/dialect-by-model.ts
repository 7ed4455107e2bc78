import type { ModelRules } from "../../chat/model-rules.ts";
import type { CompatibilityProfile } from "../compatibility-profile.ts";

/** The dialect without what the rules of a model say otherwise: parameters that it takes, efforts that it has words for. */
export function dialectBy(rules: ModelRules | undefined, dialect: CompatibilityProfile): CompatibilityProfile {
  if (!rules) return dialect;
  const { efforts = {}, parameters = {} } = rules;
  const isRefused = (field: string) => parameters[field] !== true;
  const { unsupported = [], unsupportedBy, efforts: words = {} } = dialect;
  return {
    ...dialect,
    unsupported: unsupported.filter(isRefused),
    ...(unsupportedBy && { unsupportedBy: { ...unsupportedBy, fields: unsupportedBy.fields.filter(isRefused) } }),
    efforts: Object.fromEntries(Object.entries(words).filter(([effort]) => !Object.hasOwn(efforts, effort))),
  };
}
