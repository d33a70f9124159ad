import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { buildQueryClient } from '../lib/api/query-client.ts'
import { LazyToaster } from './lazy-toaster.tsx'
import { toast } from './toast.ts'

// As browsers do for an import without a connection.
vi.mock('./toaster.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

it('shows the message as plain text when the toast code fails to load [CONST-02]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  render(
    <QueryClientProvider client={buildQueryClient()}>
      <LazyToaster />
    </QueryClientProvider>,
  )
  toast.error('Your words are still here', 'Upload Error')
  await eventually(() => expect(screen.getByRole('alert')).toHaveTextContent('Upload Error: Your words are still here'))
  await vi.advanceTimersByTimeAsync(6_000)
  vi.useRealTimers()
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
})
