import { isProxyVariable, withoutProxyUser } from '../redaction/proxy-address.ts'

/**
 * Variables that a server inherits: enough to find programs, the home directory, locale, proxy and certificates. All others, such as
 * provider keys, are withheld.
 */
const inherited: ReadonlySet<string> = new Set([
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'LANG',
  'TMPDIR',
  'TZ',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'XDG_RUNTIME_DIR',
])

const inheritedOnWindows: ReadonlySet<string> = new Set([
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
])

/**
 * The environment of a server: inherited variables, overridden by its configuration. Proxy variables lose user and password unless they are
 * configured explicitly.
 */
export function childEnvironment(configured: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || !isInherited(name) || isShellFunction(value)) continue
    environment[name] = isProxyVariable(name) ? withoutProxyUser(value) : value
  }
  return { ...environment, ...configured }
}

function isInherited(name: string): boolean {
  if (process.platform === 'win32' && inheritedOnWindows.has(name.toUpperCase())) return true
  return inherited.has(name) || name.startsWith('LC_')
}

/** Bash exports functions as values like `() { … }`, which old shells execute on start. */
function isShellFunction(value: string): boolean {
  return value.startsWith('()')
}
