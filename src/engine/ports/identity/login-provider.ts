/** What binds the answer of a provider to the browser that asked: made for one login and used once. */
export interface LoginFlow {
  /** Where the provider sends the browser back to; registered there. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly verifier: string;
}

/** Who logged in, as the provider says it. */
export interface LoginClaims {
  /** The provider's own id of the user. */
  readonly subject: string;
  readonly email: string | undefined;
  /** True where the provider says that the address is the user's own. */
  readonly isEmailVerified: boolean;
  /** The claim by which users are found, where that is not the address. */
  readonly username: string | undefined;
}

/** An OpenID provider that users of the portal log in at. Both functions throw `GatewayError`. */
export interface LoginProvider {
  /** Stands in paths: lower-case letters, digits and `-`. */
  readonly name: string;
  /** What the button says. */
  readonly label: string;
  /** How a user is found: by a verified address, or by a name that the provider is trusted to give to one person only. */
  readonly match: "email" | "username";
  /** Only users of this tenant, as `reseller` or `reseller/client`; of every tenant without it. */
  readonly tenant: string | undefined;
  /** The address to send the browser to. */
  begin(flow: LoginFlow): Promise<string>;
  /** Redeems the code in the query that the browser came back with. */
  finish(flow: LoginFlow, query: string): Promise<LoginClaims>;
}
