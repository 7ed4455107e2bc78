import { expect, it, onTestFinished, vi } from "vitest";
import { scriptedEngine } from "../../../src/testing/index.ts";
import { answer, messages } from "../support/support.ts";

function startAsked() {
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warnings.mockRestore());
  const engine = scriptedEngine({ "a/m": [answer("fine")] });
  return { engine, ask: () => engine.chat({ model: "a/m", messages }), warned: () => warnings.mock.calls.flat() };
}

it("a listener that throws keeps no other one from hearing", async () => {
  const { engine, ask, warned } = startAsked();
  const heard: string[] = [];
  engine.on("settled", () => void heard.push("before"));
  engine.on("settled", () => {
    throw new Error("bad listener");
  });
  engine.on("settled", () => void heard.push("after"));
  await ask();
  expect(heard).toEqual(["before", "after"]);
  expect(warned()).toEqual([new Error("bad listener")]);
});

it("an asynchronous listener that rejects is a warning, not an unhandled rejection", async () => {
  const { engine, ask, warned } = startAsked();
  engine.on("settled", async () => {
    throw new Error("the database is away");
  });
  await ask();
  await vi.waitFor(() => expect(warned()).toEqual([new Error("the database is away")]));
});

it("what is thrown and no error is a warning too", async () => {
  const { engine, ask, warned } = startAsked();
  engine.on("settled", () => {
    throw Object.create(null);
  });
  await ask();
  expect(warned()).toEqual(["What was thrown is no error, its type is object."]);
});

it("what ends one listening leaves another of the same function", async () => {
  const { engine, ask } = startAsked();
  let heard = 0;
  const count = () => void heard++;
  const [stopFirst, stopSecond] = [engine.on("settled", count), engine.on("settled", count)];
  stopFirst();
  stopFirst();
  await ask();
  expect(heard).toBe(1);
  stopSecond();
  await ask();
  expect(heard).toBe(1);
});
