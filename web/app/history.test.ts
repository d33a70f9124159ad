import type { Location } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openBrowserHistory } from './history.ts'

beforeEach(() => window.history.replaceState(null, '', '/'))
afterEach(() => {
  vi.restoreAllMocks()
  window.history.replaceState(null, '', '/')
})

const at = (pathname: string, rest: Partial<Location> = {}): Location => ({
  pathname,
  search: '',
  hash: '',
  state: null,
  key: pathname,
  ...rest,
})
const moved = () => new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))

it('returns to an entry with its state and key, and calls back only for navigation by the browser', async () => {
  const history = openBrowserHistory()
  const listener = vi.fn()
  history.listen(listener)
  expect(history.location).toEqual(at('/', { key: 'default' }))
  const post = at('/post/7', { search: '?tip=cs_1', hash: '#comments', state: { from: 'feed' }, key: 'one' })
  history.push(post)
  history.push(at('/explore'))
  expect(history.location).toEqual(at('/explore'))
  expect(listener).not.toHaveBeenCalled()

  const arrival = moved()
  history.go(-1)
  await arrival
  expect(history.location).toEqual(post)
  expect(window.location.href).toBe(`${window.location.origin}/post/7?tip=cs_1#comments`)
  expect(listener).toHaveBeenCalledOnce()
})

it('replaces an entry without adding one', async () => {
  const history = openBrowserHistory()
  const { length } = window.history
  history.replace(at('/auth', { key: 'two' }))
  expect(history.location).toEqual(at('/auth', { key: 'two' }))
  expect(window.history.length).toBe(length)
})

it('stays on this site for a path that begins with two slashes', () => {
  const { origin } = window.location
  openBrowserHistory().push(at('//evil.example/x'))
  expect([window.location.origin, window.location.pathname]).toEqual([origin, '//evil.example/x'])
})

const failToPush = (error: DOMException) =>
  vi.spyOn(window.history, 'pushState').mockImplementation(() => {
    throw error
  })

it('lets the browser open the address when no more entries are accepted', () => {
  failToPush(new DOMException('Attempt to use history.pushState() more than 100 times', 'SecurityError'))
  openBrowserHistory().push(at('/', { hash: '#there' })) // a fragment, because jsdom can't open anything else
  expect(window.location.hash).toBe('#there')
})

it('rejects state that an entry cannot hold', () => {
  failToPush(new DOMException('() => undefined could not be cloned', 'DataCloneError')) // jsdom accepts anything
  expect(() => openBrowserHistory().push(at('/', { hash: '#there' }))).toThrow('could not be cloned')
  expect(window.location.hash).toBe('')
})
