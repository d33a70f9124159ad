import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { openTab } from '../../testing/open-tab.ts'
import { authClient } from '../auth/auth-client.ts'
import { realtime } from '../live/realtime.ts'
import { callFunction } from './functions.ts'
import { storage } from './storage.ts'
import { supabase } from './supabase.ts'

beforeEach(openTab)

it('serves the database, authentication, files, functions, and live updates from one backend [GEN-11, GEN-12]', async () => {
  const asked: string[] = []
  network.use(
    http.all('*/:api/v1/*', ({ request }) => {
      asked.push(request.url.slice(window.location.origin.length))
      return HttpResponse.json({})
    }),
  )
  await supabase.from('posts').select('id')
  await (await authClient()).resetPasswordForEmail('ada@example.com')
  await storage().from('posts').list('ada')
  await callFunction('check-subscription')
  expect(asked.map((path) => path.replace(/\?.*/, ''))).toEqual([
    '/rest/v1/posts',
    '/auth/v1/recover',
    '/storage/v1/object/list/posts',
    '/functions/v1/check-subscription',
  ])
  const { origin } = window.location
  expect(realtime().endpointURL()).toMatch(`${origin.replace(/^http/, 'ws')}/realtime/v1/websocket?`)
})
