import { byDepth, type FenceProfile } from './fence-profile.ts'

/** The profile for `sandbox-exec` of macOS. Of several rules that match, the last one counts. */
export function toSeatbeltProfile({
  writable,
  readOnly,
  absent,
  temporary,
  hidden,
  visible,
}: FenceProfile): string {
  const rules = (what: string, paths: readonly string[]) =>
    paths.map((path) => ({ path, rule: `(${what} (subpath ${quoted(path)}))` }))
  const paths = [
    ...rules('allow file-read* file-write*', temporary),
    ...rules('allow file-read*', visible),
    ...rules('allow file-read* file-write*', writable),
    ...rules('deny file-write*', [...readOnly, ...absent.map(({ path }) => path)]),
    ...rules(
      'deny file-read* file-write*',
      hidden.map(({ path }) => path),
    ),
  ]
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero"))',
    // Other processes, and the services of the person's login.
    '(deny process-info* signal (target others))',
    '(deny mach-lookup (global-name-regex #"^com\\.apple\\.(securityd|SecurityServer|pasteboard|pboard)"))',
    ...paths.toSorted(byDepth).map(({ rule }) => rule),
  ].join('\n')
}

/** A string in the language of the profile. */
function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
