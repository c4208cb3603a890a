/** Small files as they occur in projects. All lines end with LF; cases that need something else convert them. */
export const sources: Readonly<Record<string, string>> = {
  'app.ts': `import { createServer } from './server.ts'
import { log } from './log.ts'

export interface Options {
  readonly port: number
  readonly host: string
}

export async function start({ port, host }: Options): Promise<void> {
  const server = createServer()
  if (port === 0) {
    log('choosing a port')
    server.choosePort()
  }
  await server.listen(port, host)
  log(\`listening on \${host}\`)
}
`,
  'tree.go': `package tree

type Node struct {
\tleft  *Node
\tright *Node
\tvalue int
}

func (n *Node) Insert(value int) *Node {
\tif n == nil {
\t\treturn &Node{value: value}
\t}
\tif value < n.value {
\t\tn.left = n.left.Insert(value)
\t} else {
\t\tn.right = n.right.Insert(value)
\t}
\treturn n
}
`,
  'shapes.py': `from dataclasses import dataclass


@dataclass
class Square:
    side: float

    def area(self) -> float:
        return self.side ** 2

    def scale(self, factor: float) -> "Square":
        if factor <= 0:
            raise ValueError("factor must be positive")
        return Square(self.side * factor)
`,
  'compose.yaml': `services:
  web:
    image: example/web:1.2
    ports:
      - "8080:80"
    environment:
      MODE: production
  store:
    image: example/store:4
    volumes:
      - data:/var/lib/store
volumes:
  data: {}
`,
  'notes.md': `# Notes

Some words about the project, in Zürich and 東京. 🎉

- first thing
- second thing

\`\`\`sh
make all
\`\`\`

Last line without an end`,
  'page.html': `<!doctype html>
<html>
  <body>
    <main class="wide">
      <h1>Title</h1>
      <p>A paragraph with <em>emphasis</em>.</p>
    </main>
  </body>
</html>
`,
}
