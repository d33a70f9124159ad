import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sessionKey } from '../lib/auth/stored-session.ts'
import { testConfig } from '../testing/config.ts'
import { network } from '../testing/network.ts'
import { renderRoute } from '../testing/render-route.tsx'
import { buildPost } from '../testing/rows.ts'
import { sessionFor, signIn, viewerProfile } from '../testing/sign-in.ts'

const settings = http.get('*/app-config.json', () => HttpResponse.json(testConfig))
let asked: string[] = []

/** Responds to early requests and counts them. */
function count(feedStatuses: number[] = []) {
  network.use(
    settings,
    http.get('*/rest/v1/profiles', ({ request }) => {
      asked.push('viewer')
      expect(request.headers.get('apikey')).toBe(testConfig.anonKey)
      return HttpResponse.json([viewerProfile])
    }),
    http.get('*/rest/v1/rpc/get_feed', () => {
      asked.push('feed')
      return HttpResponse.json([buildPost({ content: 'The boats are back.' })], { status: feedStatuses.shift() ?? 200 })
    }),
  )
}

let open: typeof import('./early.ts').askEarly
const store = (over: object) => localStorage.setItem(sessionKey(window.location.origin), JSON.stringify(over))

// The module runs once on import, as in the document; nobody is signed in yet.
beforeAll(async () => {
  network.use(settings)
  open = (await import('./early.ts')).askEarly
  await open('/')
})

beforeEach(() => {
  network.use(settings)
  asked = []
})

it('requests the viewer and their feed before the app has loaded, which then uses these responses [HOME-04, GEN-13]', async () => {
  signIn()
  count()
  await open('/')
  await waitFor(() => expect(asked.toSorted()).toEqual(['feed', 'viewer']))
  renderRoute('/')
  expect(await screen.findByText('The boats are back.')).toBeVisible()
  expect(asked.toSorted()).toEqual(['feed', 'viewer'])
})

it('requests only the viewer on other screens', async () => {
  signIn()
  count()
  await open('/messages')
  await waitFor(() => expect(asked).toEqual(['viewer']))
})

it('lets the app retry and report a failed early request', async () => {
  signIn()
  count([503])
  await open('/')
  await waitFor(() => expect(asked).toContain('feed'))
  renderRoute('/')
  expect(await screen.findByText('The boats are back.')).toBeVisible()
  expect(asked.filter((what) => what === 'feed')).toHaveLength(2)
})

it('never uses a response that was requested with another token', async () => {
  signIn()
  count()
  await open('/')
  await waitFor(() => expect(asked).toContain('feed'))
  store({ ...sessionFor({ claims: { session_id: 'another' } }) })
  renderRoute('/')
  expect(await screen.findByText('The boats are back.')).toBeVisible()
  expect(asked.filter((what) => what === 'feed')).toHaveLength(2)
})

it.each([
  ['nobody is signed in', null],
  ['the session is about to be renewed [AUTH-25]', { ...sessionFor(), expires_at: Math.floor(Date.now() / 1000) + 60 }],
  ['it owes its second factor [AUTH-19]', sessionFor({ claims: { second_factor: 'pending' } })],
  ['what is stored is no session', { access_token: 7 }],
])('requests nothing when %s', async (_, stored) => {
  count()
  if (stored) store(stored)
  await open('/')
  expect(asked).toEqual([])
})
