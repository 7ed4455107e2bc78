/** A credential of a vendor that is set in the portal, unsealed. */
export interface ProviderCredential {
  /** The name of the provider, as models begin with it. */
  readonly provider: string;
  /** The kind of the provider where its name does not say it. */
  readonly kind?: string | undefined;
  /** The address of the provider, where it has one of its own. */
  readonly base_url?: string | undefined;
  /** Unique among the provider's credentials; plans, events and the ledger show it. */
  readonly name: string;
  readonly value: string;
  readonly weight?: number | undefined;
  readonly models?: readonly string[] | undefined;
  readonly blocked_models?: readonly string[] | undefined;
}

/** A credential of the configuration, without its value. */
export interface ConfiguredCredential {
  readonly provider: string;
  readonly name: string;
  /** The end of its value; absent for a short one. */
  readonly key_end?: string | undefined;
}

/**
 * The outcome of a test: `valid`, with the number of models that the vendor lists for the credential; `refused` by the vendor; `failed` for
 * another reason, such as a vendor that cannot be reached; `untestable` where the vendor lists no models, so that only a paid call could tell.
 */
export interface CredentialTest {
  readonly outcome: "valid" | "refused" | "failed" | "untestable";
  readonly models?: number | undefined;
  readonly message?: string | undefined;
}

/** Where the credentials of an engine's providers come from, for its portal. */
export interface CredentialSource {
  /** The credentials of the configuration and the environment. */
  list(): readonly ConfiguredCredential[];
  /**
   * Checks the portal's credentials, all of them; throws `invalid_configuration` for those that cannot be used. Then calls have them, in addition to
   * those of the configuration; calls that have begun end with what they began with.
   */
  take(credentials: readonly ProviderCredential[]): Promise<void>;
  /** Asks the vendor for its models with one credential, which need not be stored. Throws `invalid_configuration` for one that cannot be used. */
  test(credential: ProviderCredential): Promise<CredentialTest>;
}
