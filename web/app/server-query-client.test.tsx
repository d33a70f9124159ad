import { text } from 'node:stream/consumers'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { expect, it, vi } from 'vitest'
import { buildServerQueryClient } from './server-query-client.ts'

/** Passed on, not provided: once the server's renderer has provided a context of a package, React's renderer for browsers complains about it. */
const queryClient = buildServerQueryClient()

async function render(page: ReactNode) {
  const errors: unknown[] = []
  const { prelude } = await prerenderToNodeStream(page, { onError: (error) => void errors.push(error) })
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
    const { data } = useInfiniteQuery(
      {
        queryKey: ['posts'],
        queryFn: async () => ['one', 'two'],
        initialPageParam: 0,
        getNextPageParam: () => undefined,
      },
      queryClient,
    )
    const ids = data?.pages.flat() ?? []
    rendered.push(`list of ${ids}`)
    return <Links ids={ids} />
  }
  function Links({ ids }: { ids: string[] }) {
    const links = useQueries(
      {
        queries: ids.map((id) => ({ queryKey: ['link', id], queryFn: async () => `/${id}` })),
        combine: (all) => all.map(({ data }) => data),
      },
      queryClient,
    )
    rendered.push(`links ${links}`)
    return <p>{links.join(' ')}</p>
  }
  function Viewer() {
    const { isPending } = useQuery({ queryKey: ['viewer'], queryFn: read, enabled: false }, queryClient)
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
    const { data } = useQuery<string>({ queryKey: ['part'], queryFn: () => Promise.reject(failure) }, queryClient)
    return <p>{data}</p>
  }
  await expect(render(<Part />)).rejects.toBe(failure)
})
