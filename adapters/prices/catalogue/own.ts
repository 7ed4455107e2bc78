/** What is not sold: what `local` does in this process costs nothing. In the format of the snapshot (`format.ts`). */
export const ownProviders: Readonly<Record<string, string>> = {
  local: "echo|It|Ot|$i0 o0\nbm25|Mrerank|It|$i0\nminilm-l6-v2|Membedding|It|$i0",
};
