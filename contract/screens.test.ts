import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { paths } from './paths.ts'
import { findScreen, screens } from './screens.ts'

describe('the list of screens', () => {
  it('names each file of web/app/routes once', () => {
    const files = readdirSync(new URL('../web/app/routes', import.meta.url)).map((file) => file.replace(/\.tsx?$/, ''))
    expect(screens.map(({ module }) => module).toSorted()).toEqual(files.toSorted())
  })

  it('has a screen at every address that the product links to', () => {
    const addresses = Object.entries(paths).map(([name, path]) => [
      name,
      typeof path === 'string' ? path : path('account'),
    ])
    for (const [name, address] of addresses) {
      const path = String(address).split('?')[0] ?? ''
      expect(findScreen(path) !== undefined, String(name)).toBe(name !== 'notFound')
    }
  })

  it.each([
    ['/', 'home'],
    ['/profile', 'own-profile'],
    ['/profile/', 'own-profile'],
    ['/profile/mara', 'profile'],
    ['/profile/mara/', 'profile'],
    ['/dashboard/subscriptions', 'subscriptions'],
    ['/private-sessions/b1', 'call'],
  ])('finds the screen at %s', (path, module) => {
    expect(findScreen(path)?.module).toBe(module)
  })

  it.each(['/404', '/nowhere', '/profile/mara/posts', '/post', '/post//', '//', '/__proto__', '/:username', ''])(
    'has no screen at %j',
    (path) => {
      expect(findScreen(path)).toBeUndefined()
    },
  )

  it('lets search engines list the front page, Explore, profiles, posts, products, tags, help, and the legal pages [FIND-02, TALK-01]', () => {
    expect(screens.filter(({ isPublic }) => isPublic).map(({ pattern }) => pattern)).toEqual([
      '/',
      '/auth',
      '/explore',
      '/post/:id',
      '/privacy-policy',
      '/product/:id',
      '/profile/:username',
      '/support',
      '/tag/:tag',
      '/terms-of-service',
    ])
  })
})
