import type { OutgoingHttpHeaders } from 'node:http'

/** The empty page in the frame of an app. */
export const appFramePath = '/app-frame'

/**
 * An app may run the scripts it brought along, and show itself. Its origin is opaque, so it cannot reach the console, its key
 * or any storage. It cannot load or send anything, submit forms, open windows or frame other pages.
 */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'media-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

/** The policy covers neither WebRTC nor `<link rel=preconnect>`. This does, in browsers that know it. */
const closedNetwork = { 'Connection-Allowlist': '()' }

export const appFrameHeaders: OutgoingHttpHeaders = {
  'Content-Security-Policy': policy,
  ...closedNetwork,
  'X-Frame-Options': 'SAMEORIGIN',
  'X-DNS-Prefetch-Control': 'off',
}

/** Becomes the app that the console sends to it first. The policy above stays that of the document. */
export const appFrame = `<!doctype html>
<meta charset="utf-8">
<title>App</title>
<script>
addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data !== 'string') return
  document.open()
  document.write(event.data)
  document.close()
}, { once: true })
</script>
`

/** A page that finds out whether the browser knows `Connection-Allowlist`: if so, its own request fails. */
export const appProbePath = '/app-probe'

export const appProbeHeaders: OutgoingHttpHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'self'",
  ...closedNetwork,
  'X-Frame-Options': 'SAMEORIGIN',
}

export const appProbe = `<!doctype html>
<meta charset="utf-8">
<title>Probe</title>
<script>
fetch('${appFramePath}', { cache: 'no-store' }).then(() => false, () => true).then((isClosed) => parent.postMessage({ isClosed }, location.origin))
</script>
`
