import type { Rates } from "../../engine/api/rates.ts";
import type { PortalRecord } from "./record.ts";

/** A property at one level of the tree; lower levels inherit it. One record for each level and name. */
export interface StoredProperty extends PortalRecord {
  readonly property: string;
  readonly description: string;
  readonly value: string;
}

/** A text of one language at one level of the tree; lower levels inherit it. One record for each level, language and key. */
export interface StoredText extends PortalRecord {
  readonly lang: string;
  readonly key: string;
  readonly value: string;
}

/** The prices of a model that the provider set in the portal. `id` is the name of the model, `provider/model`, in lower case. */
export interface StoredOwnPrice extends PortalRecord {
  /** In the order of their days. */
  readonly entries: readonly OwnPriceEntry[];
}

/** Rates in US dollars per unit, and the first day (UTC) on which they hold; always, without one. */
export interface OwnPriceEntry {
  readonly effective_from?: string;
  readonly rates: Rates;
  /** RFC 3339. */
  readonly set_at: string;
  /** The id of the user. */
  readonly set_by: string;
}

/** A credential of a vendor that the provider set in the portal. */
export interface StoredProviderCredential extends PortalRecord {
  readonly provider: string;
  readonly kind?: string;
  readonly base_url?: string;
  /** Unique among the provider's credentials. */
  readonly name: string;
  /** Sealed with the portal's secret. */
  readonly sealed_value: string;
  /** The end of the value; absent for a short one. */
  readonly key_end?: string;
  readonly enabled: boolean;
  readonly weight?: number;
  readonly models?: readonly string[];
  readonly blocked_models?: readonly string[];
  /** RFC 3339: when the value was set last, and the id of the user who set it. */
  readonly set_at: string;
  readonly set_by: string;
}

/** The records that an engine's vendors and prices are set with. */
export interface VendorRecords {
  own_price: StoredOwnPrice;
  provider_credential: StoredProviderCredential;
}
