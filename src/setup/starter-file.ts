/** A file that smithers writes once for a person to go on with. */
export interface StarterFile {
  /** relative to the folder, with `/` between its parts */
  readonly path: string;
  readonly text: string;
  /** what it is for, in a few words; shown beside its path */
  readonly about: string;
}
