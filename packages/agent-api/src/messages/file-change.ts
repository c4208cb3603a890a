export interface FileChange {
  readonly path: string
  /** The text before the first change of the prompt. Null if there was no file. */
  readonly before: string | null
  /** The encoding of `before`, as data. */
  readonly form: string
  /** Identifies the text after the last change. Null if it is not known that the change was done. */
  readonly after: string | null
}

/** Kept with the session, for a number of prompts and bytes. */
export interface FileChanges {
  /** Call before a file is changed. Later changes of the same turn are part of the first. */
  begin(change: Omit<FileChange, 'after'>): void
  done(path: string, after: string): void
  /** Call instead of `done` if the file was not changed. */
  drop(path: string): void
  last(): { readonly turn: number; readonly changes: readonly FileChange[] } | undefined
  forget(turn: number, paths: readonly string[]): void
}
