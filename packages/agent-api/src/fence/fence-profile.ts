/** The paths that a fenced program sees or changes, absolute and real. All others can be read, and not written. */
export interface FenceProfile {
  readonly writable: readonly string[]
  /** Existing files and directories in writable ones that make other programs run something. */
  readonly readOnly: readonly string[]
  /** Such paths that do not exist yet. */
  readonly absent: readonly Place[]
  /** Private and empty while the program runs. It can write there, and nothing of it remains. */
  readonly temporary: readonly string[]
  /** Secrets, and directories with sockets. A directory is empty inside. */
  readonly hidden: readonly Place[]
  /** These can be read although they lie in a hidden or temporary directory. */
  readonly visible: readonly string[]
}

export interface Place {
  readonly path: string
  readonly isDirectory: boolean
}

/** Containing directories first. The sort is stable: what is later in the list counts, if two entries are about the same path. */
export function byDepth(one: Pick<Place, 'path'>, other: Pick<Place, 'path'>): number {
  return depthOf(one) - depthOf(other)
}

function depthOf({ path }: Pick<Place, 'path'>): number {
  return path.split('/').filter((name) => name !== '').length
}

/** Variables that lead to services of the person: agents for keys, the desktop, containers. */
export const withheldVariables = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'GNOME_KEYRING_CONTROL',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_SYSTEM_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'PULSE_SERVER',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'KUBECONFIG',
  'TMUX',
  'TMUX_TMPDIR',
  'VSCODE_IPC_HOOK',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
  'REMOTE_CONTAINERS_IPC',
] as const
