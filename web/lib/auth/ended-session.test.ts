import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { network } from '../../testing/network.ts'
import { openTab } from '../../testing/open-tab.ts'
import { sessionFor } from '../../testing/sign-in.ts'
import { supabase } from '../api/supabase.ts'
import { currentSession } from './auth-client.ts'
import { sessionKey } from './stored-session.ts'

const key = () => sessionKey(window.location.origin)
const ended = { code: 'PGRST303', message: 'This session has ended. Sign in again.', details: null, hint: null }

/** Rejects every token, and answers refreshes. @returns the refresh tokens that were sent. */
function rejectTokens(renewal: () => Response): string[] {
  const shown: string[] = []
  network.use(
    http.get('*/rest/v1/posts', () => HttpResponse.json(ended, { status: 401 })),
    http.post('*/auth/v1/token', async ({ request }) => {
      shown.push(((await request.json()) as { refresh_token: string }).refresh_token)
      return renewal()
    }),
    http.post('*/auth/v1/logout', () => HttpResponse.json({}, { status: 403 })),
  )
  return shown
}

beforeEach(async () => {
  await openTab()
  localStorage.setItem(key(), JSON.stringify(sessionFor({ claims: { of: crypto.randomUUID() } })))
})

describe('a token that the server rejects before its time', () => {
  it('signs out on this device when the refresh fails', async () => {
    const gone = {
      code: 400,
      error_code: 'refresh_token_not_found',
      msg: 'Invalid Refresh Token: Refresh Token Not Found',
    }
    const shown = rejectTokens(() => HttpResponse.json(gone, { status: 400 }))
    expect((await supabase.from('posts').select('id')).status).toBe(401)
    await eventually(() => expect(localStorage.getItem(key())).toBeNull())
    expect(await currentSession()).toBeNull()
    expect(shown).toEqual(['refresh'])
  })

  it('is refreshed once, however many requests were rejected', async () => {
    const renewed = { ...sessionFor({ claims: { of: crypto.randomUUID() } }), refresh_token: 'next' }
    const shown = rejectTokens(() => HttpResponse.json(renewed))
    await Promise.all(Array.from({ length: 3 }, () => supabase.from('posts').select('id')))
    await eventually(async () => expect((await currentSession())?.refresh_token).toBe('next'))
    expect(shown).toEqual(['refresh'])
  })

  it('does nothing for a visitor', async () => {
    localStorage.clear()
    const shown = rejectTokens(() => HttpResponse.json({}, { status: 400 }))
    expect((await supabase.from('posts').select('id')).status).toBe(401)
    expect(shown).toEqual([])
  })
})
