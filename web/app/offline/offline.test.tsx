import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { standInForCaches } from '../../testing/cache-storage.ts'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

beforeEach(() => void standInForCaches())
afterEach(() => {
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

const line = () => screen.findByText(/^You're offline\./)
const reconnect = () => act(() => onlineManager.setOnline(true))

it('says above a screen that it is offline and how old it is, until the connection returns [LOOP-22]', async () => {
  signIn()
  network.use(answer('rpc/get_feed', []))
  renderRoute('/')
  await waitFor(() => expect(document.querySelector('[data-offline="false"]')).not.toBeNull())
  act(() => onlineManager.setOnline(false))
  expect(await line()).toHaveTextContent(/^You're offline\. Last updated .+\.$/)
  reconnect()
  await waitFor(() => expect(screen.queryByText(/You're offline/)).toBeNull())
})

it('says so of a screen that has nothing to show, which loads when the connection returns', async () => {
  signIn()
  onlineManager.setOnline(false)
  network.use(answer('rpc/get_feed', []))
  renderRoute('/')
  expect(await line()).toHaveTextContent("This loads when you're back.")
  reconnect()
  await waitFor(() => expect(screen.queryByText(/You're offline/)).toBeNull())
})

it('tells a server that can’t be reached from a missing connection, and tries it again by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  signIn()
  network.use(answer('rpc/get_feed', []))
  const { queryClient } = renderRoute('/')
  await waitFor(() => expect(document.querySelector('[data-offline="false"]')).not.toBeNull())
  network.use(http.get('*/rest/v1/rpc/get_feed', () => HttpResponse.error()))
  await act(() => queryClient.refetchQueries({ queryKey: ['posts', 'feed'] }))
  expect(await screen.findByText(/^Can't reach the server\. Last updated /)).toBeVisible()
  network.use(answer('rpc/get_feed', []))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  await waitFor(() => expect(screen.queryByText(/Can't reach the server/)).toBeNull())
  vi.useRealTimers()
})
