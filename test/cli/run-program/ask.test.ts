import { describe, expect, it } from "vitest";
import { runProgram } from "../../../src/cli/run-program.ts";
import { type FakeTerminalOptions, fakeTerminal } from "../support/fake-terminal.ts";

async function run(line: readonly string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal(options);
  const exitCode = await runProgram(line, terminal, () => "1.2.3");
  return { exitCode, ...terminal.written };
}

const told = "This is an echo, no model was asked. You said:";

describe("tollgate chat", () => {
  it("streams the answer to stdout and says on stderr what it took", async () => {
    const pieces: string[] = [];
    const { exitCode, out, err } = await run(["chat", "local/echo", "Hello there"], {
      onOut: (text) => pieces.push(text),
    });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${told} Hello there\n` });
    expect(err).toBe("[local/echo, 2 tokens in, 12 out (estimated), $0, 0 ms]\n");
    expect(pieces.length).toBeGreaterThan(5);
  });

  it("prints it in one piece with --no-stream", async () => {
    const pieces: string[] = [];
    await run(["chat", "local/echo", "Hello", "--no-stream"], { onOut: (text) => pieces.push(text) });
    expect(pieces).toEqual([`${told} Hello`, "\n"]);
  });

  it("prints the whole answer with --json, and nothing else", async () => {
    const { out, err } = await run(["chat", "local/echo", "Hello", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: `${told} Hello` } }],
    });
    expect(err).toBe("");
  });

  it("reads the prompt from a pipe", async () => {
    expect((await run(["chat", "local/echo"], { input: "from a pipe\n" })).out).toBe(`${told} from a pipe\n`);
    const { exitCode, err } = await run(["chat", "local/echo"], { input: " \n" });
    expect(exitCode).toBe(2);
    expect(err).toBe("tollgate: The prompt is missing. Write it after the model, in quotes, or pipe it to stdin.\n");
  });

  it("passes on what the options say", async () => {
    const { out, err } = await run([
      "chat",
      "local/echo",
      "a b",
      "-s",
      "be brief",
      "--max-tokens",
      "4",
      "--temperature",
      "0.5",
    ]);
    expect(out).toBe("This is an echo,\n");
    expect(err).toBe(
      "warning: `temperature` is not supported by local\n[local/echo, 4 tokens in, 4 out (estimated), $0, 0 ms, cut off at the token limit]\n",
    );
  });

  it("falls back", async () => {
    const { exitCode, out } = await run(["chat", "openai/gpt-5", "Hi", "--fallback", "nobody/x", "-f", "local/echo"]);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${told} Hi\n` });
  });

  it.each([
    ["gpt-5", "tollgate: `gpt-5` is not of the form `provider/model`. (400 invalid_model)\n"],
    [
      "openai/gpt-5",
      "tollgate: No provider `openai` is configured: set `OPENAI_API_KEY`, or `providers.openai` in the configuration; there are: local. (404 provider_not_found)\n",
    ],
    ["local/x", "tollgate: local/x: local has no model `x`; it has `echo`. (404 upstream_error)\n"],
  ])("fails in a line: %s", async (model, err) => {
    for (const style of [[], ["--no-stream"], ["--json"]]) {
      expect(await run(["chat", model, "Hi", ...style])).toEqual({ exitCode: 1, out: "", err });
    }
  });

  it("tells the story of all that failed", async () => {
    const { err } = await run(["chat", "local/x", "Hi", "-f", "local/y"]);
    expect(err).toMatch(
      /^tollgate: local has no model `x`.*\n {2}local\/x {2}404 upstream_error {2}after \d+ ms\n {2}local\/y {2}404 .*\n$/,
    );
  });

  it("keeps what a model says from commanding the terminal", async () => {
    const rude = "\u001b[2Jgone\u0007";
    expect((await run(["chat", "local/echo", rude], { isSeen: true })).out).toBe(`${told} [2Jgone\n`);
    expect((await run(["chat", "local/echo", rude])).out).toBe(`${told} ${rude}\n`);
  });
});

describe("a conversation", () => {
  it("goes on until the input ends, each question with all that was said before", async () => {
    const { exitCode, out, err } = await run(["chat", "local/echo"], { lines: ["one", "", "two"] });
    expect(exitCode).toBe(0);
    expect(out).toBe(`${told} one\n${told} two\n`);
    expect(err.match(/(\d+) tokens? in/g)).toEqual(["1 token in", "13 tokens in"]);
  });

  it("goes on after a failure, without what failed", async () => {
    const { exitCode, err } = await run(["chat", "local/x"], { lines: ["one", "two"] });
    expect(exitCode).toBe(0);
    expect(err.match(/has no model/g)).toHaveLength(2);
  });

  it("stops an answer at SIGINT, and only that", async () => {
    let words = 0;
    const terminal = fakeTerminal({
      lines: ["one", "two"],
      onOut: () => {
        words += 1;
        if (words === 3) terminal.send("SIGINT");
      },
    });
    expect(await runProgram(["chat", "local/echo"], terminal, () => "")).toBe(0);
    expect(terminal.written.out).toBe(`This is an\n${told} two\n`);
    expect(terminal.listening()).toBe(0);
  });
});

it("SIGINT ends a single question with 130", async () => {
  const terminal = fakeTerminal({ onOut: () => terminal.send("SIGINT") });
  expect(await runProgram(["chat", "local/echo", "Hi"], terminal, () => "")).toBe(130);
  expect(terminal.written).toEqual({ out: "This\n", err: "" });
});

describe("tollgate models", () => {
  it("lists names in a pipe, a table on a screen, the answer as JSON", async () => {
    expect((await run(["models"])).out).toBe("local/bm25\nlocal/echo\nlocal/hybrid\nlocal/minilm-l6-v2\n");
    const table = (await run(["models"], { isSeen: true })).out;
    expect(table).toMatch(/^ {2}local\/echo {2,}\$0 in, \$0 out per million tokens {2}Echo$/m);
    expect(JSON.parse((await run(["models", "--json"])).out)).toMatchObject({
      object: "list",
      data: [{ id: "local/bm25" }, { id: "local/echo" }, { id: "local/hybrid" }, { id: "local/minilm-l6-v2" }],
    });
  });

  it("fails in a line when the provider is not there", async () => {
    const err =
      "tollgate: No provider `groq` is configured: set `GROQ_API_KEY`, or `providers.groq` in the configuration; there are: local.\n";
    expect(await run(["models", "-p", "groq"])).toEqual({ exitCode: 1, out: "", err });
  });
});

describe("tollgate plan", () => {
  it("shows the route and what was left out, with the reasons", async () => {
    const { exitCode, out } = await run(["plan", "openai/gpt-5", "-f", "local/echo", "-f", "bad/"]);
    expect(exitCode).toBe(0);
    expect(out).toBe(
      [
        "Candidates, in order:",
        "  1.  local/echo",
        "Skipped:",
        "  openai/gpt-5  provider_not_found  No provider `openai` is configured: set `OPENAI_API_KEY`, or `providers.openai` in the configuration; there are: local.",
        "  bad/          provider_not_found  No provider `bad` is configured; there are: local.",
        "",
      ].join("\n"),
    );
  });

  it("looks at the verb, and ends with 1 when nobody would be asked", async () => {
    const { exitCode, out } = await run(["plan", "groq/m", "--verb", "embed"], { env: { GROQ_API_KEY: "k" } });
    expect(exitCode).toBe(1);
    expect(out).toContain("No eligible target.\nSkipped:\n  groq/m  unsupported_operation");
  });

  it("is JSON with --json", async () => {
    const { out } = await run(["plan", "local/echo", "--json"]);
    expect(JSON.parse(out)).toEqual({
      targets: [{ provider: "local", model: "echo", name: "local/echo" }],
      skipped: [],
    });
  });
});
