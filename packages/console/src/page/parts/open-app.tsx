import { toPath } from '../route.ts'
import { Link } from './link.tsx'

interface OpenAppProps {
  server: string
  uri: string
  call?: string | null
  name?: string
}

export function OpenApp({ server, uri, call = null, name }: OpenAppProps) {
  return (
    <Link to={toPath('/app', { server, uri, call })} label={name && `Open the app ${name}`}>
      Open the app
    </Link>
  )
}
