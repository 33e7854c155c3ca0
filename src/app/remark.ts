/** Something that people are told beside what happens: `info` in the log, the others as annotations. */
export interface Remark {
  readonly level: "info" | "notice" | "warning";
  readonly text: string;
}
