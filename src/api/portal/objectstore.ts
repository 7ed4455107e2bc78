import type { PortalRecord } from "./record.ts";

/** The key pair of a resource, as a rule of an infrastructure project for its object store. `id` is the resource's id. */
export interface StoredKeyPair extends PortalRecord {
  readonly access_key: string;
  /** The secret key, sealed with the portal's secret. */
  readonly sealed_secret_key: string;
  /** The id of the user who set it. */
  readonly set_by?: string | undefined;
}

/** What shares of buckets and of objects have in common. `id` says what is shared with whom, so that the same share is one record. */
interface StoredShare extends PortalRecord {
  /** The code of the region. */
  readonly region: string;
  /** The object store's address. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The resource with whose key pair it was shared. */
  readonly owner_id: string;
  /** The id of the user who shared it. */
  readonly shared_by: string;
}

/** A bucket that another project may read. */
export interface StoredSharedBucket extends StoredShare {
  /** The infrastructure project that may read it. */
  readonly project_id: string;
}

/** An object that whoever has its address may read for a time. The address itself is not kept: it opens the object. */
export interface StoredSharedUrl extends StoredShare {
  readonly object_key: string;
  /** RFC 3339 in UTC with milliseconds: between the two the address is good. */
  readonly signed_at: string;
  readonly expires_at: string;
}
