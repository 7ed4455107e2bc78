declare module "virtual:rows" {
  /** Area → name → method, path, permission, whether the answer is a secret. */
  export const rows: Readonly<
    Record<string, Readonly<Record<string, readonly [method: string, path: string, access: string, isSecret: boolean]>>>
  >;
}

declare module "virtual:languages" {
  /** Code → the language's own name for itself. */
  export const languages: Readonly<Record<string, string>>;
}

declare module "virtual:texts/*" {
  /** Key → text. */
  export const texts: Readonly<Record<string, string>>;
}

declare module "virtual:theme" {
  /** The theme of a tenant that has chosen nothing. */
  export const theme: {
    readonly name: string;
    readonly colors: Readonly<Record<string, string>>;
    readonly logo?: string;
  };
}
