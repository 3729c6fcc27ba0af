import 'graphiql/setup-workers/vite'
import 'graphiql/style.css'
import './page.css'

import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import { createClient } from 'graphql-ws'
import { createRoot } from 'react-dom/client'

const url = new URL(location.pathname, location.href)
const socket = new URL(url)
socket.protocol = url.protocol.replace('http', 'ws')

const FIRST = `# Every game, and every rule that it resolves.
{
  systems(language: EN) {
    id
    name
    resolvers { id title }
  }
}
`

const query = new URLSearchParams(location.hash.slice(1)).get('query')

createRoot(document.getElementById('graphiql')).render(
  <GraphiQL
    fetcher={createGraphiQLFetcher({
      url: url.href,
      wsClient: createClient({ url: socket.href, lazy: true }),
    })}
    defaultQuery={FIRST}
    initialQuery={query ?? undefined}
  />,
)
