// Runs before every script that needs a current Node, in words that an old one understands too.
const minimum = [22, 16]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
  console.error(
    `This needs Node ${minimum.join('.')} or newer and runs on ${process.version}. ` +
      'The workspace brings a current one with it: run `npx -y pnpm@12.18.0 install`, see that it ends without an error, and try again.',
  )
  process.exit(1)
}
