import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../packed.ts";

/** A command of a document, with its continuation lines. */
export interface ShellLine {
  readonly page: string;
  /** Line of the page that it begins on, from 1. */
  readonly at: number;
  readonly text: string;
}

const fence = /^\s*```(\S*)/;

/** Every page that has commands for readers. */
export const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...globSync(["docs/**/*.md", "deploy/**/*.md"], { cwd: root }).sort(),
];

/** The commands of the `sh` blocks of a page, in order. */
export function readLines(page: string, text = readFileSync(join(root, page), "utf8")): ShellLine[] {
  const lines: ShellLine[] = [];
  let block = "";
  for (const [index, line] of text.split("\n").entries()) {
    const opened = fence.exec(line)?.[1];
    if (opened !== undefined) block = block === "" ? opened || "none" : "";
    else if (block === "sh" && line.trim() !== "") {
      const open = lines.at(-1);
      if (open && isUnfinished(open.text)) lines[lines.length - 1] = { ...open, text: `${open.text}\n${line}` };
      else lines.push({ page, at: index + 1, text: line });
    }
  }
  return lines;
}

/** The marks of blocks that have commands and are not marked `sh`, so that they would be passed over. */
export function unmarkedBlocks(page: string, text = readFileSync(join(root, page), "utf8")): string[] {
  const found: string[] = [];
  let block = "";
  for (const [index, line] of text.split("\n").entries()) {
    const opened = fence.exec(line)?.[1];
    if (opened !== undefined) block = block === "" ? opened || "none" : "";
    const isCommand = block === "none" && /^\s*(?:\$|tollgate|npm|npx|curl) /.test(line);
    if (isCommand || ["bash", "shell", "console", "zsh"].includes(opened ?? "")) found.push(`${page}:${index + 1}`);
  }
  return found;
}

/** True where a quotation is open at the end, or the last line ends in a backslash. */
function isUnfinished(text: string): boolean {
  let quote = "";
  let isComment = false;
  for (const [at, sign] of [...text].entries()) {
    if (isComment) isComment = sign !== "\n";
    else if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else isComment = sign === "#" && /\s/.test(text[at - 1] ?? " ");
  }
  return quote !== "" || (text.endsWith("\\") && !isComment);
}
