// The official suite starts this as its client. It hands the scenario over to the process that runs the suite, and prints the answer.
import { connect } from 'node:net'

const [socket, url] = process.argv.slice(2)
const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env
connect(socket)
  .end(JSON.stringify({ scenario, url, context: JSON.parse(context) }))
  .pipe(process.stderr)
