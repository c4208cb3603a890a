/** The parts of RFC 6570 that servers use: `{name}`, `{+name}`, `{/name}`, `{?a,b}` and the like. */
const expression = /\{([+#./;?&]?)([^{}]+)\}/g

interface Style {
  readonly first: string
  readonly separator: string
  readonly isNamed: boolean
  readonly keepsReserved: boolean
}

const plain: Style = { first: '', separator: ',', isNamed: false, keepsReserved: false }
const styles: Readonly<Record<string, Style>> = {
  '': plain,
  '+': { ...plain, keepsReserved: true },
  '#': { ...plain, first: '#', keepsReserved: true },
  '.': { ...plain, first: '.', separator: '.' },
  '/': { ...plain, first: '/', separator: '/' },
  ';': { first: ';', separator: ';', isNamed: true, keepsReserved: false },
  '?': { first: '?', separator: '&', isNamed: true, keepsReserved: false },
  '&': { first: '&', separator: '&', isNamed: true, keepsReserved: false },
}

export function templateVariables(template: string): readonly string[] {
  return [
    ...new Set(
      [...template.matchAll(expression)].flatMap(([, , names = '']) => names.split(',').map(nameOf)),
    ),
  ]
}

export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_, operator: string, names: string) => {
    const { first, separator, isNamed, keepsReserved } = styles[operator] ?? plain
    const parts = names.split(',').flatMap((name) => {
      const value = Object.hasOwn(values, nameOf(name)) ? values[nameOf(name)] : undefined
      if (value === undefined || value === '') return []
      const encoded = keepsReserved ? encodeURI(value) : encodeURIComponent(value)
      return [isNamed ? `${nameOf(name)}=${encoded}` : encoded]
    })
    return parts.length === 0 ? '' : first + parts.join(separator)
  })
}

/** Without the modifiers `*` and `:3`. */
function nameOf(name: string): string {
  return name.trim().replace(/\*$|:\d+$/, '')
}
