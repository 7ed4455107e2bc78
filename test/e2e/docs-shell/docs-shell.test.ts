import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installTarball, type Project, root } from "../packed.ts";
import { fragments, linkPackage } from "../snippets.ts";
import { pages, readLines, unmarkedBlocks } from "./lines.ts";
import { notRun, type PageSetting, settings } from "./pages.ts";
import { isListed, type Reader, settingOf, startReader } from "./reader.ts";
import { type DocsVendor, startDocsVendor } from "./vendor.ts";

const lines = pages.flatMap((page) => readLines(page));
const withCommands = pages.filter((page) => lines.some((line) => line.page === page && !isListed(line)));

describe("commands of the documents", () => {
  let project: Project;
  let vendor: DocsVendor;
  const readers: Reader[] = [];

  beforeAll(async () => {
    project = installTarball();
    linkPackage(project.folder, "@modelcontextprotocol/sdk"); // an optional package, of the page about MCP
    vendor = await startDocsVendor();
  });
  afterAll(async () => {
    for (const reader of readers) reader.leave();
    await vendor?.close();
    project?.remove();
  });

  const readerOf = (name: string, setting: PageSetting): Reader => {
    const env = { ...vendor.env, VENDOR: vendor.url };
    const reader = startReader({ project: project.folder, name, setting, env });
    readers.push(reader);
    return reader;
  };

  it.each(withCommands)("%s: every command does what it says, one after the other", async (page) => {
    const reader = readerOf(page.replaceAll(/\W/g, "-"), settings[page] ?? {});
    const problems = [await reader.begin()];
    for (const line of lines.filter((each) => each.page === page && !isListed(each))) {
      const problem = await reader.follow(line);
      if (problem !== undefined) problems.push(`${page}:${line.at}: ${problem}`);
    }
    const found = problems.filter((problem) => problem !== undefined);
    if (found.length > 0) throw new Error(found.join("\n\n"));
  });

  const spoken = { "readme-fragment-1.ts": /Because of how air scatters light\..*openai\/gpt-5 0\.\d+ \d+/s };

  it("the README has no code block that nothing runs", () => {
    const names = fragments.map(({ name }) => name).filter((name) => name.startsWith("readme"));
    expect(names).toEqual(Object.keys(spoken)); // the marked ones are run by tarball.test.ts
  });

  it.each(Object.entries(spoken))(
    "%s, a code block of the README, runs against a scripted vendor",
    async (name, says) => {
      const code = fragments.find((fragment) => fragment.name === name)?.code ?? "";
      const directed = code.replace(/apiKey: process\.env\.(\w+)_API_KEY!/g, "$&, baseUrl: process.env.$1_BASE_URL!");
      expect(directed).not.toBe(code);
      const text = `node ${name}`;
      const reader = readerOf("readme-code", { files: { [name]: directed }, lines: { [text]: { says } } });
      expect(await reader.follow({ page: "README.md", at: 0, text })).toBeUndefined();
    },
  );
});

describe("the stock of commands", () => {
  it("is in blocks that are marked `sh`", () => {
    expect(pages.flatMap((page) => unmarkedBlocks(page))).toEqual([]);
    expect(unmarkedBlocks("x", "```bash\nls\n```\n\n```\nnpx tollgate\n```\n\n```\nsum(x)\n```\n")).toHaveLength(2);
  });

  it("has no entry for a command that is not there", () => {
    const texts = (page?: string) =>
      lines.filter((line) => page === undefined || line.page === page).map(({ text }) => text);
    const isThere = (start: string, page?: string) => texts(page).some((text) => text.startsWith(start));
    expect(Object.keys(notRun).filter((start) => !isThere(start))).toEqual([]);
    const known = Object.entries(settings).flatMap(([page, { lines: own = {} }]) =>
      Object.keys(own).map((start) => [page, start] as const),
    );
    expect(known.filter(([page, start]) => !isThere(start, page))).toEqual([]);
  });

  it("names for every command that cannot run here a test that is there", () => {
    for (const { why, checkedBy } of Object.values(notRun)) {
      expect(why).not.toBe("");
      expect(existsSync(join(root, checkedBy)), checkedBy).toBe(true);
    }
    expect(Object.keys(notRun).length).toBeLessThanOrEqual(12); // each more is a command that nothing runs
  });

  it("joins the lines of one command, and finds a new one", () => {
    const text = "```sh\na \\\n  b # c\ncurl -d '{\n}' # it's\n\nlast\n```\n```ts\nno\n```\n";
    expect(readLines("x", text).map((line) => line.text)).toEqual(["a \\\n  b # c", "curl -d '{\n}' # it's", "last"]);
    expect(settingOf("docker run", notRun)).toBeUndefined();
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain("```sh\n");
  });
});
