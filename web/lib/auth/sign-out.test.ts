import { onlineManager } from '@tanstack/react-query'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { openTab } from '../../testing/open-tab.ts'
import { sessionFor } from '../../testing/sign-in.ts'
import { authClient, sessionInStorage } from './auth-client.ts'
import { signOut } from './sign-out.ts'
import { sessionKey } from './stored-session.ts'

const key = sessionKey(window.location.origin)
beforeEach(async () => {
  await openTab()
  localStorage.setItem(key, JSON.stringify(sessionFor()))
})
afterEach(() => onlineManager.setOnline(true))

/** What another tab hears. */
function listen() {
  const channel = new BroadcastChannel(key)
  const told = new Promise<unknown>((resolve) => {
    channel.onmessage = ({ data }) => resolve(data)
  })
  return told.finally(() => channel.close())
}

it('ends the session on the server and in this browser [AUTH-24]', async () => {
  let ended = 0
  network.use(
    http.post('*/auth/v1/logout', () => {
      ended += 1
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await signOut()
  expect(ended).toBe(1)
  expect(sessionInStorage()).toBeNull()
})

it('ends it in this browser and all of its tabs without a connection [LOOP-22]', async () => {
  onlineManager.setOnline(false)
  const told = listen()
  await signOut()
  expect(sessionInStorage()).toBeNull()
  expect(await told).toEqual({ event: 'SIGNED_OUT', session: null })
})

it('ends it in this browser when the server can’t be reached', async () => {
  network.use(http.post('*/auth/v1/logout', () => HttpResponse.error()))
  await (await authClient()).initialize()
  const told = listen()
  await signOut()
  expect(sessionInStorage()).toBeNull()
  expect(await told).toMatchObject({ event: 'SIGNED_OUT' })
})

it('ends it in this browser when the server refuses', async () => {
  network.use(
    http.post('*/auth/v1/logout', () =>
      HttpResponse.json({ code: 'over_request_rate_limit', msg: 'Too many requests' }, { status: 429 }),
    ),
  )
  await signOut()
  expect(sessionInStorage()).toBeNull()
})
