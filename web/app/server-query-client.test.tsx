import { text } from 'node:stream/consumers'
import { QueryClientProvider, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { expect, it, vi } from 'vitest'
import { buildServerQueryClient } from './server-query-client.ts'

async function render(page: ReactNode) {
  const errors: unknown[] = []
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={buildServerQueryClient()}>{page}</QueryClientProvider>,
    { onError: (error) => void errors.push(error) },
  )
  return { html: await text(prelude), errors }
}

it('renders each part once, when what it reads is there [FIND-05]', async () => {
  const rendered: string[] = []
  const read = vi.fn()
  function Posts() {
    rendered.push('posts')
    return (
      <main>
        <List />
        <Viewer />
      </main>
    )
  }
  function List() {
    const { data } = useInfiniteQuery({
      queryKey: ['posts'],
      queryFn: async () => ['one', 'two'],
      initialPageParam: 0,
      getNextPageParam: () => undefined,
    })
    const ids = data?.pages.flat() ?? []
    rendered.push(`list of ${ids}`)
    return <Links ids={ids} />
  }
  function Links({ ids }: { ids: string[] }) {
    const links = useQueries({
      queries: ids.map((id) => ({ queryKey: ['link', id], queryFn: async () => `/${id}` })),
      combine: (all) => all.map(({ data }) => data),
    })
    rendered.push(`links ${links}`)
    return <p>{links.join(' ')}</p>
  }
  function Viewer() {
    const { isPending } = useQuery({ queryKey: ['viewer'], queryFn: read, enabled: false })
    rendered.push('viewer')
    return <p>{isPending && 'nobody'}</p>
  }
  const { html, errors } = await render(<Posts />)
  expect(errors).toEqual([])
  expect(html).toBe('<main><p>/one /two</p><p>nobody</p></main>')
  expect(rendered).toEqual(['posts', 'viewer', 'list of one,two', 'links /one,/two'])
  expect(read).not.toHaveBeenCalled()
})

it('fails with what a part couldn’t read', async () => {
  const failure = new Error('no connection')
  function Part() {
    const { data } = useQuery<string>({ queryKey: ['part'], queryFn: () => Promise.reject(failure) })
    return <p>{data}</p>
  }
  await expect(render(<Part />)).rejects.toBe(failure)
})
