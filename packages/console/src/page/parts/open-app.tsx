import { toPath } from '../route.ts'
import { Link } from './link.tsx'

interface OpenAppProps {
  /** Its ID or name. */
  readonly server: string
  readonly uri: string
  /** The call whose result the app shows. */
  readonly call?: string | null
  /** The name of the app, if there are several on the page. */
  readonly name?: string
}

/** The link to the page that shows an app in its sandbox. */
export function OpenApp({ server, uri, call = null, name }: OpenAppProps) {
  return (
    <Link to={toPath('/app', { server, uri, call })} {...(name !== undefined && { label: `Open the app ${name}` })}>
      Open the app
    </Link>
  )
}
