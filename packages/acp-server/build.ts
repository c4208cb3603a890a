import { rolldown } from 'rolldown'
import { buildPage } from './build-page.ts'
import config, { output } from './rolldown.config.ts'

buildPage()
// Not rolldown's own command: that one lists every chunk, and `pnpm start` begins with this.
await using bundle = await rolldown(config)
await bundle.write(output)
