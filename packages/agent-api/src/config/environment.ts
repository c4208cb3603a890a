/** The one door to the process's environment for settings: everything else is handed what it needs. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env
}
