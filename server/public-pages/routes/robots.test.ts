import { screens } from '@ovation/contract/screens'
import { describe, expect, it } from 'vitest'
import { writeRobots } from './robots.ts'

const text = writeRobots({ name: 'Ovation', url: 'https://ovation.example' })
const lines = (name: string) => [...text.matchAll(new RegExp(`^${name}: (.+)$`, 'gm'))].map(([, path]) => path ?? '')

/** As RFC 9309 reads the lines: the longest match counts. */
function isAllowed(path: string): boolean {
  const longest = (rules: string[]) =>
    Math.max(
      0,
      ...rules
        .filter((rule) => (rule.endsWith('$') ? path === rule.slice(0, -1) : path.startsWith(rule)))
        .map((rule) => rule.length),
    )
  return longest(lines('Allow')) >= longest(lines('Disallow'))
}

describe('robots.txt', () => {
  it('names the sitemap by the address of the installation [FIND-02]', () => {
    expect(text).toMatch(/^User-agent: \*\n/)
    expect(lines('Sitemap')).toEqual(['https://ovation.example/sitemap.xml'])
  })

  it('leaves out exactly the private screens [FIND-02]', () => {
    const example = (pattern: string) => pattern.replace(/:\w+/, 'x')
    for (const { pattern, isPublic = false } of screens) expect(isAllowed(example(pattern)), pattern).toBe(isPublic)
  })

  it.each(['/rest/v1/posts', '/auth/v1/user', '/storage/v1/object/sign/posts/a.jpg', '/storage/v1/bucket'])(
    'leaves out the API: %s [FIND-02]',
    (path) => expect(isAllowed(path)).toBe(false),
  )

  it('leaves out the private feeds of fans, and allows those for everyone [FIND-02, RSS-02]', () => {
    expect(isAllowed('/feeds/a-secret-token.xml')).toBe(false)
    expect(isAllowed('/l/abcdefgh')).toBe(false)
    for (const path of ['/profile/mara/feed.xml', '/profile/mara/feed.json']) expect(isAllowed(path)).toBe(true)
  })

  it.each([
    '/storage/v1/object/posts/a.mp4',
    '/storage/v1/render/image/public/avatars/a.jpg',
    '/storage/v1/render/image/authenticated/posts/a.jpg',
    '/app-config.json',
    '/assets/app.js',
    '/sitemaps/posts-1.xml',
  ])('allows what previews and readers need: %s', (path) => expect(isAllowed(path)).toBe(true))
})
