import { useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { buildQueryClient } from '../lib/api/query-client.ts'
import { openMemoryHistory } from '../testing/memory-history.ts'
import { toast } from '../ui/toast.ts'
import { App } from './app.tsx'
import { createRouter } from './router.ts'

function NeverAnswered() {
  useQuery({ queryKey: ['never'], queryFn: () => new Promise<never>(() => undefined) })
  return <p>Loading</p>
}

it('shows a toast even if the screen never becomes idle [CONST-02]', async () => {
  const queryClient = buildQueryClient()
  const screens = [{ path: '*', Component: NeverAnswered }]
  const router = createRouter({ history: openMemoryHistory('/'), screens, queryClient })
  render(<App queryClient={queryClient} router={router} />)
  expect(await screen.findByText('Loading')).toBeVisible()
  toast.error('It did not come')
  expect(await screen.findByText('It did not come')).toBeVisible()
})
