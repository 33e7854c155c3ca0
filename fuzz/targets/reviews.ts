import { readAnswer } from "../../src/core/review/answer.ts";
import { mutated } from "../mutate.ts";
import { hold, target } from "../target.ts";

const ANSWERS = [
  'I have looked.\n<review>{"verdict": "clear", "objections": []}</review>',
  '<review>{"verdict":"veto","objections":[{"about":"by_heart","where":"a.ts:1","why":"It is 42."}]}</review>\n',
  '<review>{"verdict":"veto","objections":[{"about":"missing","where":null,"why":"no\\ntest"},{"about":"narrowed","why":"half"}]}</review>',
];

export const reviews = target({
  name: "reviews",
  covers: ["core/review/answer.ts#readAnswer"],
  draw: (random) =>
    mutated(random, {
      seeds: ANSWERS,
      words: ["<review>", "</review>", '"veto"', '"why"', "\u200B", "\n", '{"', "[]"],
    }),
  check(message) {
    const read = readAnswer(message);
    const objections = read.answer === "veto" ? read.objections : [];
    hold(read.answer !== "veto" || objections.length > 0, "a veto has a reason");
    hold(objections.length <= 10, "there are few objections");
    hold(
      objections.every(({ why, where }) => why !== "" && why.length <= 600 && (where?.length ?? 0) <= 200),
      "what is said is short",
    );
    hold(!objections.some(({ why, where }) => /[\r\n]/u.test(`${why}${where ?? ""}`)), "what is said is one line");
    hold(read.answer !== "clear" || message.includes('"clear"'), "only who says so finds nothing");
  },
});
