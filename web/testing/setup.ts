import '@testing-library/jest-dom/vitest'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from 'vitest'
import { setConfig } from '../lib/api/config.ts'
import { connect } from '../lib/api/supabase.ts'
import { authClient } from '../lib/auth/auth-client.ts'
import { realtime } from '../lib/live/realtime.ts'
import { standInForTheBrowser } from './browser.ts'
import { testConfig } from './config.ts'
import { network } from './network.ts'

// The first test of a file also loads the screen's code, which is slow on a busy machine.
configure({ asyncUtilTimeout: 15_000 })

let consoleError: MockInstance<typeof console.error>

beforeAll(() => {
  standInForTheBrowser()
  network.listen({ onUnhandledRequest: 'error' })
  setConfig(testConfig)
  connect()
})

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error')
  localStorage.clear()
  sessionStorage.clear()
})

afterEach(async () => {
  cleanup()
  notifications.clean()
  await realtime().removeAllChannels()
  network.resetHandlers()
  // jsdom doesn't know the `search` element yet; browsers do.
  const calls = consoleError.mock.calls.filter(([, tag]) => tag !== 'search')
  consoleError.mockRestore()
  // A test that expects an error silences it with `vi.mocked(console.error).mockClear()`.
  expect(calls, 'unexpected console.error').toEqual([])
})

// The next file gets a fresh document, without listeners of this one.
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear() // or a new client would start with the last test's session
  realtime().disconnect()
  const client = await authClient()
  await client.initialize() // it starts to listen when that ends
  await client.dispose()
  Reflect.set(client.constructor, 'nextInstanceID', {}) // it counts instances per key, and warns about a second one
  network.close()
  window.history.replaceState(null, '', '/')
  document.title = ''
  Reflect.deleteProperty(navigator, 'clipboard') // the clipboard of @testing-library/user-event
  for (const element of [document.head, document.body]) element.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
})
