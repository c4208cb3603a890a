const names: Readonly<Record<string, string>> = {
  'read-only': 'Read only',
  'always-ask': 'Always ask',
  'trusted-only': 'Trusted only',
  auto: 'Auto',
}

/** The name of an approval mode, as in the settings of the agent. */
export function modeName(mode: string): string {
  return names[mode] ?? mode
}
