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

/** Answers and counts what is asked early. */
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

// It runs once by itself, as it does in the document; nobody is signed in yet.
beforeAll(async () => {
  network.use(settings)
  open = (await import('./early.ts')).askEarly
  await open('/')
})

beforeEach(() => {
  network.use(settings)
  asked = []
})

it('asks for the viewer and their feed before the app is there, which then takes these very answers [HOME-04, GEN-13]', async () => {
  signIn()
  count()
  await open('/')
  await waitFor(() => expect(asked.toSorted()).toEqual(['feed', 'viewer']))
  renderRoute('/')
  expect(await screen.findByText('The boats are back.')).toBeVisible()
  expect(asked.toSorted()).toEqual(['feed', 'viewer'])
})

it('asks for the viewer alone where the screen is another one', async () => {
  signIn()
  count()
  await open('/messages')
  await waitFor(() => expect(asked).toEqual(['viewer']))
})

it('leaves it to the app to ask again, and to say so, where the early answer was a failure', async () => {
  signIn()
  count([503])
  await open('/')
  await waitFor(() => expect(asked).toContain('feed'))
  renderRoute('/')
  expect(await screen.findByText('The boats are back.')).toBeVisible()
  expect(asked.filter((what) => what === 'feed')).toHaveLength(2)
})

it('shows nobody what was asked for with another token', async () => {
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
])('asks for nothing where %s', async (_, stored) => {
  count()
  if (stored) store(stored)
  await open('/')
  expect(asked).toEqual([])
})
