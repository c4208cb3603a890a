/**
 * The state of files and commands that the model of a session knows. Each field is a plain value that is replaced, never changed in place,
 * so that the session can restore an earlier one.
 */
export interface WorkspaceMemory {
  /** The versions of files that the session last saw, by real path. */
  fileVersions: ReadonlyMap<string, string>
  /** Positions up to which the output of commands was read, by ID. */
  outputRead: ReadonlyMap<string, number>
}

export function createWorkspaceMemory(): WorkspaceMemory {
  return { fileVersions: new Map(), outputRead: new Map() }
}
