import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commands } from "../../../src/cli/commands/all-commands.ts";
import { runProgram } from "../../../src/cli/run-program.ts";
import { type FakeTerminalOptions, fakeTerminal } from "../support/fake-terminal.ts";

async function run(line: readonly string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal(options);
  const exitCode = await runProgram(line, terminal, () => "1.2.3");
  return { exitCode, ...terminal.written };
}

const all = (await Promise.all(Object.values(commands).map((load) => load()))).flatMap((each) =>
  "commands" in each ? [each, ...Object.values(each.commands)] : [each],
);
const lines = all.map(({ name }) => name);

describe("help", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("of the program: %j", async (line) => {
    const { exitCode, out, err } = await run(line);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    await expect(out).toMatchFileSnapshot("help/tollgate.txt");
  });

  it.each(lines)("of %s", async (line) => {
    const words = line.split(" ");
    const { exitCode, out, err } = await run([...words, "--help"]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect((await run(["help", ...words])).out).toBe(out);
    if (line === words[0]) expect((await run([line, "-h"])).out).toBe(out);
    await expect(out).toMatchFileSnapshot(`help/${words.join("-")}.txt`);
  });

  it("of a group is also what the group alone gives", async () => {
    expect(await run(["key"])).toEqual(await run(["key", "--help"]));
  });

  it("fits on a screen of 130 columns", async () => {
    for (const line of ["", ...lines]) {
      const { out } = await run([...line.split(" ").filter(Boolean), "-h"]);
      expect(out.split("\n").filter((text) => text.length > 130)).toEqual([]);
    }
  });

  it("has examples that the program would take", async () => {
    for (const { examples } of all) {
      expect(examples.length).toBeGreaterThan(0);
      for (const [line] of examples) {
        const [, words = ""] = /(?:^|\| )tollgate (.*?)(?: >.*)?$/.exec(line) ?? [];
        const given = words.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replaceAll(/["']/g, "")) ?? [];
        expect(await run([...given, "--help"]), line).toMatchObject({ exitCode: 0, err: "" });
      }
    }
  });
});

describe("the version", () => {
  it.each(["--version", "-v", "-V"])("is what %s says", async (flag) => {
    expect(await run([flag])).toEqual({ exitCode: 0, out: "1.2.3\n", err: "" });
  });
});

describe("what is wrongly used ends with 2, one line and a hint", () => {
  it.each([
    [["serv"], 'tollgate: Unknown command "serv". Did you mean tollgate serve?\n'],
    [
      ["teleport"],
      'tollgate: Unknown command "teleport". There are serve, reload, chat, models, decide, mcp, guard, plan, key, project, customer, token, secret, portal, demo, usage, ledger, cache, price, import, fault-test; tollgate --help shows them.\n',
    ],
    [
      ["constructor"],
      'tollgate: Unknown command "constructor". There are serve, reload, chat, models, decide, mcp, guard, plan, key, project, customer, token, secret, portal, demo, usage, ledger, cache, price, import, fault-test; tollgate --help shows them.\n',
    ],
    [["key", "crate"], 'tollgate: Unknown command "crate". Did you mean tollgate key create?\n'],
    [
      ["key", "teleport"],
      'tollgate: Unknown command "teleport". There are create, list, show, limit, reset, allow, rotate, disable, enable, delete; tollgate key --help shows them.\n',
    ],
    [["key", "create"], "tollgate: tollgate key create needs <name>. tollgate key create --help shows its usage.\n"],
    [["help", "sreve"], 'tollgate: Unknown command "sreve". Did you mean tollgate serve?\n'],
    [
      ["--prot"],
      "tollgate: Unknown option --prot. There are serve, reload, chat, models, decide, mcp, guard, plan, key, project, customer, token, secret, portal, demo, usage, ledger, cache, price, import, fault-test; tollgate --help shows them.\n",
    ],
    [["serve", "--prot", "1"], "tollgate: Unknown option --prot. Did you mean --port?\n"],
    [["serve", "--constructor"], "tollgate: Unknown option --constructor. tollgate serve --help lists its options.\n"],
    [["serve", "-x"], "tollgate: Unknown option -x. tollgate serve --help lists its options.\n"],
    [["serve", "--port"], "tollgate: --port needs a value: --port <port>. tollgate serve --help lists its options.\n"],
    [
      ["serve", "--port", "--host", "x"],
      "tollgate: --port needs a value: --port <port>. tollgate serve --help lists its options.\n",
    ],
    [
      ["serve", "--host", ""],
      "tollgate: --host needs a value: --host <host>. tollgate serve --help lists its options.\n",
    ],
    [
      ["serve", "--store="],
      "tollgate: --store needs a value: --store <file|url>. tollgate serve --help lists its options.\n",
    ],
    [["serve", "--port", "http"], 'tollgate: --port must be a whole number from 0 to 65535, not "http".\n'],
    [["serve", "--port", "70000"], 'tollgate: --port must be a whole number from 0 to 65535, not "70000".\n'],
    [["serve", "--port="], 'tollgate: --port must be a whole number from 0 to 65535, not "".\n'],
    [
      ["serve", "--grace", "soon"],
      'tollgate: --grace must be a duration of at most one day, such as 500ms, 30s or 2m, not "soon".\n',
    ],
    [["serve", "--log-level", "wran"], 'tollgate: --log-level cannot be "wran". Did you mean warn?\n'],
    [["serve", "now"], 'tollgate: tollgate serve does not take "now". tollgate serve --help shows its usage.\n'],
    [["price", ""], "tollgate: tollgate price needs <model>. tollgate price --help shows its usage.\n"],
    [["key", "show", " "], "tollgate: tollgate key show needs <key>. tollgate key show --help shows its usage.\n"],
    [
      ["usage", "\u001b[31mred"],
      'tollgate: tollgate usage does not take "[31mred". tollgate usage --help shows its usage.\n',
    ],
    [["chat"], "tollgate: tollgate chat needs <model>. tollgate chat --help shows its usage.\n"],
    [
      ["chat", "local/echo", "--max-tokens", "0"],
      'tollgate: --max-tokens must be a whole number from 1 on, not "0".\n',
    ],
    [
      ["chat", "local/echo", "--max-tokens", "1.5"],
      'tollgate: --max-tokens must be a whole number from 1 on, not "1.5".\n',
    ],
    [["chat", "local/echo", "--temperature", "3"], 'tollgate: --temperature must be a number from 0 to 2, not "3".\n'],
    [
      ["chat", "local/echo", "--json=yes"],
      "tollgate: --json takes no value. tollgate chat --help lists its options.\n",
    ],
    [
      ["chat", "local/echo", "a", "b"],
      'tollgate: tollgate chat does not take "b". tollgate chat --help shows its usage.\n',
    ],
    [
      ["plan", "a/b", "--verb", "sing"],
      'tollgate: --verb cannot be "sing". Valid values: chat, stream, embed, rerank, decide.\n',
    ],
  ])("%j", async (line, err) => {
    expect(await run(line)).toEqual({ exitCode: 2, out: "", err });
  });

  it("whatever is given: never a stack, never more than a line", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("serve", "chat", "--port", "-c", "--", "-", "-x", "--json"))),
        async (line) => {
          const { exitCode, err } = await run([...line, "--no-such-option"]);
          // Behind `--` all are words: `chat -- a b` asks a model, in vain.
          expect(line.includes("--") ? [1, 2] : [2]).toContain(exitCode);
          expect(err).toMatch(/^tollgate: .*\n$/s);
          expect(err).not.toContain("    at ");
        },
      ),
    ));
});

it("everything behind -- is a word, also when it looks like an option", async () => {
  const { out } = await run(["chat", "local/echo", "--", "--json"]);
  expect(out).toBe("This is an echo, no model was asked. You said: --json\n");
});
