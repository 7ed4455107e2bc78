import type { PortalRecord } from "./record.ts";

/** A property at one level of the tree; lower levels inherit it. One record per place and name. */
export interface StoredProperty extends PortalRecord {
  readonly property: string;
  readonly description: string;
  readonly value: string;
}

/** A theme at one level of the tree; lower levels inherit it. One record per place. */
export interface StoredTheme extends PortalRecord {
  readonly name: string;
  readonly colors: Readonly<Record<string, string>>;
  readonly logo?: string | undefined;
  readonly favicon?: string | undefined;
}
