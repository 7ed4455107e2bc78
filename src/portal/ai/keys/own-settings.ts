import type {
  Budget,
  Customer,
  ModelPattern,
  Project,
  ProviderConfig,
  RateLimit,
} from "../../../engine/api/governance.ts";
import type { McpConfig } from "../../../engine/api/mcp/access.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { TierPolicy } from "../../tariff/tariff.ts";
import { boundTools } from "../bound-tools.ts";
import { ceilingOf, refuseLoosening, setFields, tagSetter, tagTaken } from "../ceilings.ts";
import { hasKeySettings, type KeySettings, keySettingsOf } from "../settings.ts";
import { warnUnknown } from "../unknown-models.ts";
import { askedEntries } from "./asked-entries.ts";
import { replaceTags } from "./own-tags.ts";

/** The settings that a caller gives a new key next to those of its tier. */
interface OwnSettings {
  readonly budgets?: readonly Budget[] | undefined;
  readonly rate_limits?: readonly RateLimit[] | undefined;
  readonly llms?: readonly ModelPattern[] | undefined;
  readonly provider_configs?: readonly ProviderConfig[] | undefined;
  readonly mcp_configs?: readonly McpConfig[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** What a new key is made from. */
interface KeyOrigin {
  readonly tier: TierPolicy;
  readonly project: Project | undefined;
  /** The customer of the project, or the key's own. */
  readonly customer: Customer | undefined;
  /** The metadata of its tenant and its tier. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The settings of a new key, and the metadata that says who set them. */
interface NewKeySettings {
  readonly metadata: Record<string, string>;
  readonly settings: KeySettings & { readonly mcp_configs?: McpConfig[] };
}

/**
 * Returns the settings of a new key: those of its tier or project with those that the caller gives it, as a change of the key would leave
 * them. Throws `invalid_request` for a setting that is looser than the tier, or a level above, allows.
 */
export function settingsOfNewKey(
  { engine, tariff }: Pick<PortalDeps, "engine" | "tariff">,
  { tier, project, customer, tags }: KeyOrigin,
  { own, call }: { readonly own: OwnSettings; readonly call: PortalCall },
): NewKeySettings {
  const { budgets, rate_limits, llms, provider_configs, mcp_configs } = own;
  const above = [project, customer];
  const base = keySettingsOf(tier, project);
  const limited = { ...base, metadata: takenTags(tags, project), active: true };
  const ceiling = ceilingOf(tariff, limited, call);
  const limits = { budgets, rate_limits, llms, provider_configs, mcp_configs };
  refuseLoosening(limited, limits, ceiling);
  warnUnknown({ engine }, own, call);
  const entries = askedEntries(own, { key: base, ceiling });
  const settings = {
    ...base,
    ...(budgets ? { budgets: [...budgets] } : {}),
    ...(rate_limits ? { rate_limits: [...rate_limits] } : {}),
    ...(mcp_configs ? { mcp_configs: boundTools(mcp_configs, { record: limited, above, call }) } : {}),
    ...(entries ? { provider_configs: entries } : {}),
  };
  return { metadata: replaceTags(tagSetter(limited, setFields(limits), call), own.metadata), settings };
}

/** Returns the metadata of a new key in a project: where the project applies its settings, with the levels that set them. */
function takenTags(metadata: Readonly<Record<string, string>>, project: Project | undefined): Record<string, string> {
  return project && hasKeySettings(project) ? tagTaken({ metadata: { ...metadata } }, project) : { ...metadata };
}
