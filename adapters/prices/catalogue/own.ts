/** What is not sold: the echo of `local` asks no model and costs nothing. In the format of the snapshot (`format.ts`). */
export const ownProviders: Readonly<Record<string, string>> = { local: "echo|It|Ot|$i0 o0" };
