import { safeReturnPath } from '@ovation/contract/paths'
import { describe, expect, it } from 'vitest'
import { actionIn, parseAction } from './parse-pending-action.ts'
import { formatAction } from './pending-action.ts'
import { signInPath } from './sign-in-path.ts'

const id = 'c0000000-0000-4000-8000-000000000001'

describe('a pending action', () => {
  it('travels in the path to return to, with the rest of that path [LOOP-04]', () => {
    const here = { pathname: '/profile/noor', search: '?tab=subscribe&code=SPRING' }
    const path = signInPath(here, { action: { kind: 'subscribe', id } })
    const next = new URL(path, 'http://localhost').searchParams.get('next')
    expect(safeReturnPath(next)).toBe(`/profile/noor?tab=subscribe&code=SPRING&continue=subscribe%3A${id}`)
    expect(actionIn(next ?? '')).toEqual({ kind: 'subscribe', id })
  })

  it('stays in the address when the sign-in screen is opened again [LOOP-04]', () => {
    const path = signInPath({ pathname: '/post/7', search: '' }, { action: { kind: 'buy', id } })
    const { pathname, search } = new URL(path, 'http://localhost')
    expect(signInPath({ pathname, search: `${search}&tab=sign-in` })).toBe(path)
  })

  it.each([
    null,
    '',
    id,
    'follow',
    'follow:',
    'follow:javascript:alert(1)',
    'follow://elsewhere.example',
    `follow:${id}:more`,
    `follow:${id}\u202e`,
    `follow:\u200f${id}`,
    `\u202efollow:${id}`,
    `fоllow:${id}`, // a Cyrillic o
    `FOLLOW:${id}`,
    `constructor:${id}`,
    `pay:${id}`,
  ])('rejects %j, which no screen writes [LOOP-04]', (text) => {
    expect(parseAction(text)).toBeNull()
  })

  it.each(['follow', 'buy', 'tip-post', 'vote'] as const)('reads back what it writes: %s', (kind) => {
    expect(parseAction(formatAction({ kind, id }))).toEqual({ kind, id })
  })

  it('is not read from the path itself or from a fragment [LOOP-04]', () => {
    expect(actionIn(`/profile/continue=follow:${id}`)).toBeNull()
    expect(actionIn(`/profile/noor#?continue=follow:${id}`)).toBeNull()
  })
})
